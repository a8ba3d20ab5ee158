// Figures of a file: their changes and the agreements that they move, their problems, or that they are imported.
import { Button } from '@mantine/core'
import type { UploadResult } from '../../../src/views/shapes/series.ts'
import { State } from '../../components/figures/figures.tsx'
import { LinkButton } from '../../components/page/links.tsx'
import { Section } from '../../components/page/page.tsx'
import { countOf, sentenceCase } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import { Changes, Moves } from '../series/series-upload/changes.tsx'
import { Problems, SeriesFound, verdictOf } from '../series/series-upload/result.tsx'
import classes from '../series/series-upload/upload.module.css'
import type { StartImport } from './said.ts'

interface FiguresReadProps {
  readonly result: UploadResult
  readonly start: StartImport
}

export function FiguresRead({ result, start }: FiguresReadProps) {
  const { slug } = useWorkspace()
  const isDone = result.mode === 'import' && result.problemCount === 0
  const { added, revised } = result.totals
  const { layout } = result
  const readOtherwise = layout !== null && !isDone && (
    <Button variant="subtle" size="xs" onClick={() => start('look', { layout: null })}>
      Read it in another way
    </Button>
  )
  if (result.problemCount > 0)
    return (
      <Section title="Problems of the file">
        <Problems result={result} />
        {readOtherwise}
      </Section>
    )
  return (
    <Section title={isDone ? 'Imported' : 'Changes by this file'}>
      <p className={classes.verdict} aria-live="polite">
        {isDone ? <State kind="good">{sentenceCase(verdictOf(result))}</State> : sentenceCase(verdictOf(result))}
      </p>
      {result.notes.map(note => (
        <p key={note} className="soft">
          {sentenceCase(note)}
        </p>
      ))}
      <div className={classes.actions}>
        {!isDone && added + revised > 0 && (
          <Button onClick={() => start('import', { layout })}>Import {countOf(added + revised, 'value')}</Button>
        )}
        {!isDone && added + revised === 0 && (
          <>
            <Button variant="default" onClick={() => start('import', { layout })}>
              Import it anyway
            </Button>
            <span className="soft">A name or unit that differs would be changed.</span>
          </>
        )}
        {readOtherwise}
        {isDone && result.series[0]?.id != null && (
          <LinkButton to="/w/$ws/series/$id" params={{ ws: slug, id: result.series[0].id }} variant="filled">
            See {result.series.length === 1 ? 'the series' : 'the first series'}
          </LinkButton>
        )}
        {isDone && (
          <LinkButton to="/w/$ws/series" params={{ ws: slug }}>
            To all series
          </LinkButton>
        )}
      </div>
      {!isDone && <Moves result={result} slug={slug} />}
      {!isDone && <Changes result={result} slug={slug} />}
      <SeriesFound result={result} slug={slug} />
    </Section>
  )
}
