// Invoice lines of a file: their faults with the reasons and the money at stake; and, for people who may, the button that keeps
// them.
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { InvoiceResult } from '../../../src/views/shapes/imports.ts'
import { State } from '../../components/figures/figures.tsx'
import { LinkButton } from '../../components/page/links.tsx'
import { Section } from '../../components/page/page.tsx'
import { FileProblems } from '../../components/table/file-problems.tsx'
import { countOf, formatCount } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import { Checked } from '../invoices/checked.tsx'
import classes from '../series/series-upload/upload.module.css'
import type { StartImport } from './said.ts'

interface InvoicesReadProps {
  readonly result: InvoiceResult
  readonly fileName: string
  readonly start: StartImport
  readonly readOtherwise: ReactNode
}

export function InvoicesRead({ result, fileName, start, readOtherwise }: InvoicesReadProps) {
  return (
    <>
      <Keep result={result} start={start} readOtherwise={readOtherwise} />
      <Checked result={result} fileName={fileName} />
    </>
  )
}

function Keep({ result, start, readOtherwise }: Omit<InvoicesReadProps, 'fileName'>) {
  const { slug } = useWorkspace()
  const { keeping, isDone, layout } = result
  if (keeping === null) return readOtherwise === false ? null : <p>{readOtherwise}</p>
  const { added, unchanged, problems, problemCount } = keeping
  const already = unchanged === 0 ? '' : `, ${formatCount(unchanged)} kept already`
  if (isDone)
    return (
      <Section title="Kept">
        <p className={classes.verdict} aria-live="polite">
          <State kind="good">{`${countOf(added, 'line')} kept${already}.`}</State>
        </p>
        <LinkButton to="/w/$ws/invoices" params={{ ws: slug }} variant="filled">
          To the kept invoices
        </LinkButton>
      </Section>
    )
  if (problemCount > 0)
    return (
      <Section title="Checked, not kept">
        <p className={classes.verdict} role="alert">
          <State kind="trouble">
            {countOf(problemCount, 'problem')}. A file with a problem is not kept at all. The check below is complete.
          </State>
        </p>
        <FileProblems problems={problems} count={problemCount} />
        {readOtherwise}
      </Section>
    )
  return (
    <Section title={added === 0 ? 'Kept already' : 'Checked; nothing is stored yet'}>
      <div className={classes.actions}>
        {added > 0 && (
          <Button onClick={() => start('import', { kind: 'invoices', layout })}>Keep {countOf(added, 'line')}</Button>
        )}
        <span className="soft">
          {added === 0
            ? `Keeping the file again adds nothing: ${countOf(unchanged, 'line')} of it ${unchanged === 1 ? 'is' : 'are'} here.`
            : `Kept lines count in corrections and in the ledger${already}.`}
        </span>
        {readOtherwise}
      </div>
    </Section>
  )
}
