// The versions of a formula, newest first: who wrote each, what it changed, and its effect on every period.

import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { ChangeView, FormulaRow, VersionView } from '../../../../src/views/shapes/agreements.ts'
import { DocumentText } from '../../../components/agreements/document-text.tsx'
import { type EffectLine, effectLines } from '../../../components/agreements/effects.ts'
import { NotThere } from '../../../components/agreements/not-there.tsx'
import { useFormula, useVersions } from '../../../components/agreements/queries.ts'
import { CopyButton } from '../../../components/page/copy.tsx'
import { Facts } from '../../../components/page/facts.tsx'
import { LinkButton } from '../../../components/page/links.tsx'
import { LoadingRows, PageHead, Section, Trouble } from '../../../components/page/page.tsx'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import { writeMoneyChange, writePrice } from '../../../components/words/price-words.ts'
import { countOf, evenOut, shortenCut, writeDay, writeInstant, writeSigned } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './versions.module.css'

export function FormulaVersionsPage() {
  const { slug: ws, canEdit } = useWorkspace()
  const { slug = '' } = useParams({ strict: false })
  const formula = useFormula(slug)
  const versions = useVersions(slug)
  if (formula.error !== null) return <NotThere slug={slug} error={formula.error} retry={() => void formula.refetch()} />
  const name = formula.data?.formula.name ?? slug
  const price = formula.data?.formula.price ?? null
  return (
    <>
      <PageHead
        title="Versions"
        crumbs={[
          { label: 'Formulas', to: '/w/$ws/formulas', params: { ws } },
          { label: name, to: '/w/$ws/formulas/$slug', params: { ws, slug } },
        ]}
        under="Each version governs the adjustment dates from its own first day on. What was signed before keeps its number."
        actions={
          canEdit && (
            <LinkButton size="xs" variant="filled" to="/w/$ws/formulas/$slug/edit" params={{ ws, slug }}>
              Edit
            </LinkButton>
          )
        }
      />
      {versions.error !== null && <Trouble error={versions.error} retry={() => void versions.refetch()} />}
      {versions.data === undefined
        ? versions.error === null && <LoadingRows />
        : versions.data.map(version => <Version key={version.version} version={version} price={price} />)}
    </>
  )
}

interface VersionProps {
  readonly version: VersionView
  readonly price: FormulaRow['price']
}

function Version({ version, price }: VersionProps) {
  const { version: number, createdBy, recordedAt, effectiveFrom, documentText, changes, effects } = version
  const lines = effectLines(effects)
  return (
    <Section title={`Version ${number.toString()}`} actions={<CopyButton text={documentText} label="Copy document" />}>
      <Facts
        isSmall
        facts={[
          { label: 'Written by', value: createdBy },
          { label: 'Saved', value: writeInstant(recordedAt) },
          { label: 'Governs from', value: writeDay(effectiveFrom) },
        ]}
      />
      {number === 1 ? (
        <p className="soft">The first version: there is nothing before it to compare with.</p>
      ) : (
        <>
          <h3 className={classes.part}>What changed</h3>
          <Changes changes={changes} />
          <h3 className={classes.part}>What it does to the periods</h3>
          <Effects lines={lines} price={price} />
        </>
      )}
      <details className={classes.details}>
        <summary>The document of version {number}</summary>
        <DocumentText text={documentText} label={`The document of version ${number.toString()}`} />
      </details>
    </Section>
  )
}

function Changes({ changes }: { readonly changes: readonly ChangeView[] }) {
  if (changes.length === 0) return <p className="soft">Only its order, its comments or its spelling.</p>
  return (
    <ScrollX label="What changed">
      <table className={`ledger ${classes.changes}`}>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, before, after }) => (
            <tr key={path}>
              <td className="mono">{path}</td>
              <td>{before === null ? <span className="soft">not there</span> : <del>{before}</del>}</td>
              <td>{after === null ? <span className="soft">removed</span> : <ins>{after}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  )
}

function Effects({ lines, price }: { readonly lines: readonly EffectLine[]; readonly price: FormulaRow['price'] }) {
  const [isWhole, setWhole] = useState(false)
  const changed = lines.filter(({ hasChanged }) => hasChanged)
  const shown = isWhole ? lines : changed
  if (lines.length === 0) return <p className="soft">There is no period yet that both versions could compute.</p>
  return (
    <>
      <p className={classes.summary}>{summaryOf(lines, changed, price)}</p>
      {shown.length > 0 && <EffectTable lines={shown} price={price} />}
      {changed.length < lines.length && (
        <Button variant="default" size="xs" mt={8} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole
            ? 'Only what changed'
            : `Show ${countOf(lines.length - changed.length, 'period')} that ${lines.length - changed.length === 1 ? 'stays' : 'stay'} the same`}
        </Button>
      )}
    </>
  )
}

function summaryOf(lines: readonly EffectLine[], changed: readonly EffectLine[], price: FormulaRow['price']): string {
  if (changed.length === 0) return `All ${countOf(lines.length, 'period')} keep their numbers.`
  const newest = changed.findLast(({ money }) => money !== null)
  const count = `${changed.length.toString()} of ${countOf(lines.length, 'period')} ${changed.length === 1 ? 'is' : 'are'} different.`
  if (newest === undefined) return count
  return `${count} In ${newest.period} the price is ${writePrice(newest.priceAfter!, price)} instead of ${writePrice(newest.priceBefore!, price)} (${writeMoneyChange(newest.money!, price?.currency)}).`
}

function EffectTable({ lines, price }: { readonly lines: readonly EffectLine[]; readonly price: FormulaRow['price'] }) {
  const column = (pick: (line: EffectLine) => string | null, isChange = false) =>
    evenOut(
      lines.map(line => {
        const text = shortenCut(pick(line) ?? '')
        return text === '' ? null : isChange ? writeSigned(text) : text
      }),
    )
  const before = column(line => line.before, true)
  const after = column(line => line.after, true)
  const points = column(line => line.points, true)
  const priceBefore = column(line => line.priceBefore)
  const priceAfter = column(line => line.priceAfter)
  const money = column(line => line.money, true)
  const heads = [
    'Before, %',
    'After, %',
    'Points',
    ...(price === null
      ? []
      : [`Before, ${price.currency}`, `After, ${price.currency}`, `Difference, ${price.currency}`]),
  ]
  return (
    <ScrollX label="Effect on the periods">
      <table className={`ledger ${classes.effects}`}>
        <thead>
          <tr>
            <th scope="col">Period</th>
            {heads.map(head => (
              <th key={head} scope="col" className="right">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, i) => (
            <tr key={line.period} data-same={!line.hasChanged}>
              <td>{line.period}</td>
              <td className="right">{line.before === null ? <NotComputed /> : before[i]}</td>
              <td className="right">{line.after === null ? <NotComputed /> : after[i]}</td>
              <td className="right">{points[i]}</td>
              {price !== null && (
                <>
                  <td className="right">{priceBefore[i]}</td>
                  <td className="right">{priceAfter[i]}</td>
                  <td className="right">{money[i]}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  )
}

function NotComputed() {
  return <span className="soft">no number</span>
}
