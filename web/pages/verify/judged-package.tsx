// Verdict on an evidence package: the checked parts, every number, correction and change of terms with its signers, the owner of
// the sealing key, and the claims that rest on the operator's word.

import type { PublishedKeys } from '../../../src/core/receipt/verdict.ts'
import { formatDate } from '../../../src/core/text/words.ts'
import type { CheckedPackage } from '../../../src/formats/evidence/check.ts'
import {
  changeSentences,
  formatState,
  packageHeading,
  problemsToShow,
  settledWords,
  signedWords,
} from '../../../src/formats/evidence/package-words.ts'
import { Facts } from '../../components/page/facts.tsx'
import { IconAlert, IconCheck } from '../../components/page/icons.tsx'
import { Section } from '../../components/page/page.tsx'
import type { Column } from '../../components/table/column.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import { formatFigure, formatInstant, formatMoney, formatPct, sentenceCase } from '../../components/words/words.ts'
import { Answers } from './judged.tsx'
import { describePackage } from './package-answers.ts'
import classes from './verify.module.css'

interface JudgedPackageProps {
  readonly fileName: string
  readonly checked: CheckedPackage
  readonly own: PublishedKeys | null
}

export function JudgedPackage({ fileName, checked, own }: JudgedPackageProps) {
  const { isGood, manifest } = checked
  const body = manifest?.body
  return (
    <>
      <div className={classes.verdict} data-kind={isGood ? 'good' : 'bad'}>
        {isGood ? <IconCheck /> : <IconAlert />}
        <div>
          <h2>{packageHeading(checked)}</h2>
          {isGood ? (
            <p>
              {fileName}: every number was computed again, every signature checked, every file compared with the sealed
              list.
            </p>
          ) : (
            <>
              <p>{fileName}: do not rely on this package.</p>
              <ul className={classes.problems}>
                {problemsToShow([checked]).map(problem => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            </>
          )}
          <Answers told={describePackage(checked, own)} />
        </div>
      </div>
      {body !== undefined && (
        <Facts
          facts={[
            { label: 'Evidence for', value: body.agreement.name, note: body.agreement.slug },
            { label: 'Periods', value: body.from === body.to ? body.from : `${body.from} to ${body.to}` },
            { label: 'Workspace', value: body.workspace.name, note: body.workspace.slug },
            { label: 'Made', value: formatInstant(body.madeAt), note: body.madeBy },
          ]}
        />
      )}
      <Parts checked={checked} />
      <Numbers checked={checked} />
      <Corrections checked={checked} />
      <Changes checked={checked} />
      <Settled checked={checked} />
    </>
  )
}

function Verdict({ problems, good }: { readonly problems: readonly string[]; readonly good: string }) {
  if (problems.length === 0) return <span className={classes.good}>{good}</span>
  return <span className={classes.bad}>{problems[0]}</span>
}

function Parts({ checked: { parts } }: { readonly checked: CheckedPackage }) {
  return (
    <Section title="What was checked">
      <DataTable
        rows={parts}
        keyOf={({ title }) => title}
        columns={[
          { head: 'Part', cell: ({ title }) => title },
          { head: 'Found', narrow: 'drop', className: classes.found, cell: ({ words }) => words },
          {
            head: 'Verdict',
            cell: ({ problems }) => (
              <Verdict problems={problems.length === 0 ? [] : [`${problems.length} wrong`]} good="good" />
            ),
          },
        ]}
      />
    </Section>
  )
}

function Numbers({ checked: { receipts } }: { readonly checked: CheckedPackage }) {
  return (
    <Section title="The numbers">
      <DataTable
        rows={receipts}
        keyOf={({ name }) => name}
        columns={[
          { head: 'Receipt', className: 'figures', cell: ({ name }) => name },
          {
            head: 'Adjustment',
            isRight: true,
            cell: ({ verdict }) => {
              const { adjustmentPct = null } = verdict?.receipt.body.result ?? {}
              return adjustmentPct === null ? '–' : formatPct(adjustmentPct)
            },
          },
          {
            head: 'Price',
            isRight: true,
            narrow: 'drop',
            cell: ({ verdict }) => {
              const { price = null } = verdict?.receipt.body.result ?? {}
              return price === null ? '–' : formatFigure(price)
            },
          },
          signedColumn<CheckedPackage['receipts'][number]>(({ verdict }) =>
            signedWords(verdict?.signatures ?? [], verdict?.receipt.body.parties),
          ),
          {
            head: 'Verdict',
            cell: ({ problems }) => <Verdict problems={problems} good="computed again: same" />,
          },
        ]}
      />
    </Section>
  )
}

function signedColumn<Row>(wordsOf: (row: Row) => readonly string[]): Column<Row> {
  const said = (row: Row) => wordsOf(row).map(words => <p key={words}>{words}</p>)
  return { head: 'Signed by', narrow: row => <div className="soft">{said(row)}</div>, cell: said }
}

function Corrections({ checked: { corrections } }: { readonly checked: CheckedPackage }) {
  if (corrections.length === 0) return null
  return (
    <Section title="The corrections">
      <DataTable
        rows={corrections}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Correction of',
            className: 'figures',
            cell: ({ id, verdict }) => verdict?.correction.body.periods.map(({ period }) => period).join(', ') ?? id,
          },
          {
            head: 'Net',
            isRight: true,
            cell: ({ verdict }) => {
              const body = verdict?.correction.body
              return body?.net == null ? '–' : `${formatMoney(body.net, body.currency)}${body.waived ? ', waived' : ''}`
            },
          },
          {
            head: 'State',
            cell: ({ record }) => sentenceCase(formatState(record?.state ?? 'unknown')),
          },
          signedColumn<CheckedPackage['corrections'][number]>(({ verdict }) =>
            signedWords(verdict?.signatures ?? [], verdict?.correction.body.parties),
          ),
          {
            head: 'Verdict',
            cell: ({ problems }) => <Verdict problems={problems} good="computed again: same" />,
          },
        ]}
      />
    </Section>
  )
}

function Changes({ checked: { changes } }: { readonly checked: CheckedPackage }) {
  if (changes.length === 0) return null
  return (
    <Section title="The changes of terms">
      <DataTable
        rows={changes}
        keyOf={({ id }) => id}
        columns={[
          { head: 'Change', cell: each => changeSentences(each, formatDate) },
          signedColumn<CheckedPackage['changes'][number]>(({ verdict }) =>
            signedWords(verdict?.signatures ?? [], verdict?.change.body.parties),
          ),
          {
            head: 'Verdict',
            cell: ({ problems }) => <Verdict problems={problems} good="follows from its figures" />,
          },
        ]}
      />
    </Section>
  )
}

/** Settled price of each period that both agreed on, corrections included. */
function Settled({ checked }: { readonly checked: CheckedPackage }) {
  const { settled, isGood } = checked
  if (!isGood || settled.length === 0) return null
  const hasPrices = settled.some(({ before }) => before.price !== null)
  const figure = (each: CheckedPackage['settled'][number]['settled']) => {
    if (each === null) return '–'
    if (!hasPrices) return formatPct(each.cumulativePct)
    return each.price === null ? '–' : formatFigure(each.price)
  }
  return (
    <Section title={hasPrices ? 'The settled price' : 'Settled numbers'}>
      <p>{settledWords(checked, formatDate).at(-1)}</p>
      <DataTable
        rows={settled}
        keyOf={({ period }) => period}
        columns={[
          { head: 'Period', className: 'figures', cell: ({ period }) => period },
          {
            head: 'Signed',
            isRight: true,
            cell: ({ isSigned, before }) => (isSigned ? figure(before) : `not signed, proposed ${figure(before)}`),
          },
          {
            head: hasPrices ? 'Settled price' : 'Settled, since the start',
            isRight: true,
            cell: ({ settled: agreed }) => <strong>{figure(agreed)}</strong>,
          },
          {
            head: 'Corrected',
            cell: ({ correction }) => (correction === null ? '' : `agreed ${formatDate(correction.agreedAt)}`),
          },
        ]}
      />
    </Section>
  )
}
