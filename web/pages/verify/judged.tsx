// The verdict on a receipt: its four answers, the first line that differs with both numbers, and the whole worksheet.

import { formatSubject, type PartyObjection, stateOfObjection } from '../../../src/core/receipt/objection.ts'
import type { ReceiptBody } from '../../../src/core/receipt/receipt.ts'
import type { PublishedKeys, Verdict } from '../../../src/core/receipt/verdict.ts'
import { formatDate } from '../../../src/core/text/words.ts'
import { Contributions } from '../../components/calculation/contributions.tsx'
import { Observations } from '../../components/calculation/observations.tsx'
import { Worksheet } from '../../components/calculation/worksheet.tsx'
import { type Fact, Facts } from '../../components/page/facts.tsx'
import { IconAlert, IconCheck } from '../../components/page/icons.tsx'
import { Section } from '../../components/page/page.tsx'
import { formatFigure, formatInstant, formatMoney, formatPct, sentenceCase } from '../../components/words/words.ts'
import { type ReceiptView, viewReceipt } from './receipt-view.ts'
import { formatApart, formatLine, formatVerdict, type Outcome, outcomeOf, type VerdictWords } from './verdict.ts'
import classes from './verify.module.css'

const headings: Readonly<Record<Exclude<Outcome, 'same'>, string>> = {
  different: 'Different',
  unproven: 'It recomputes, but is not proven',
}

interface JudgedProps {
  readonly fileName: string
  readonly verdict: Verdict
  readonly own: PublishedKeys | null
}

export function Judged({ fileName, verdict, own }: JudgedProps) {
  const outcome = outcomeOf(verdict)
  const view = viewReceipt(verdict.receipt.body, outcome !== 'different')
  const marked = /^step (\S+)/.exec(verdict.difference?.line ?? '')?.[1] ?? null
  return (
    <>
      <div className={classes.verdict} data-kind={outcome === 'same' ? 'good' : 'bad'}>
        {outcome === 'same' ? <IconCheck /> : <IconAlert />}
        <div>
          <h2>
            {outcome === 'same'
              ? `Verified: recomputed to the same ${formatPct(view.adjustmentPct)}`
              : headings[outcome]}
          </h2>
          <Words fileName={fileName} verdict={verdict} outcome={outcome} view={view} />
          <Answers told={formatVerdict(verdict, own)} />
        </div>
      </div>
      <Facts facts={answerOf(view, verdict)} />
      <Section title="The receipt">
        <Facts isSmall facts={receiptFacts(verdict, view)} />
      </Section>
      <ReceiptObjections verdict={verdict} steps={view.steps} />
      <Section title="Where it comes from">
        <Contributions {...view} priceBefore={null} basePrice={null} />
      </Section>
      <Section
        title={outcome === 'different' ? 'The calculation as it is recomputed' : 'The calculation, line by line'}
      >
        <Worksheet steps={view.steps} marked={marked} />
      </Section>
      <Section title="The figures in the receipt">
        <Observations observations={view.observations} workspace={null} />
      </Section>
    </>
  )
}

/** The objections to the numbers of the period, as the receipt has them. */
function ReceiptObjections({
  verdict: { receipt },
  steps,
}: {
  readonly verdict: Verdict
  readonly steps: ReceiptView['steps']
}) {
  if (receipt.objections.length === 0) return null
  return (
    <Section title="Objections">
      <ol className={classes.objections}>
        {receipt.objections.map(objection => (
          <li key={objection.id}>
            <strong>
              {sentenceCase(objection.party)}, {objection.by}, {formatInstant(objection.at)}, to{' '}
              {formatSubject(objection.about, line => steps.find(({ name }) => name === line)?.words)}
            </strong>{' '}
            ({formatState(objection, receipt)}): {objection.reason}
            {objection.answers.map(answer => (
              <p key={answer.at} className={classes.objectionAnswer}>
                {sentenceCase(answer.party)}, {answer.by}, {formatInstant(answer.at)}
                {answer.kind === 'WITHDRAWAL' && ', withdrawn'}
                {answer.words !== '' && `: ${answer.words}`}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </Section>
  )
}

const stateWords = { open: 'open', withdrawn: 'withdrawn', signed: 'signed after all', moved: 'to another proposal' }

function formatState(objection: PartyObjection, { hash, signatures }: Verdict['receipt']): string {
  return stateWords[stateOfObjection(objection, { hash, signatures })]
}

interface WordsProps {
  readonly fileName: string
  readonly verdict: Verdict
  readonly outcome: Outcome
  readonly view: ReceiptView
}

function Words({ fileName, verdict, outcome, view }: WordsProps) {
  const { difference, receipt, problems } = verdict
  if (difference !== null) {
    const [written, recomputed] = formatApart(difference)
    return (
      <>
        <p>{fileName} does not give what it says. The first line that differs:</p>
        <Apart line={difference.line} written={written} recomputed={recomputed} />
        <p>It was altered after it was issued, or made by another program. Do not rely on its number.</p>
      </>
    )
  }
  if (outcome === 'different')
    return (
      <>
        <p>Its lines recompute, but not to the hash it carries, so it is not the receipt that hash was given for.</p>
        <Apart line="hash" written={receipt.hash} recomputed={receipt.bodyHash} />
      </>
    )
  const sentence = `${fileName}: all ${view.steps.length} lines were recomputed from ${view.observations.length} figures, and are the same.`
  if (outcome === 'same') return <p>{sentence}</p>
  return (
    <>
      <p>{sentence} Do not rely on it as a receipt:</p>
      <ul className={classes.problems}>
        {problems.map(problem => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </>
  )
}

/** The four answers, each on its own. */
export function Answers({ told }: { readonly told: readonly VerdictWords[] }) {
  return (
    <dl className={classes.answers}>
      {told.map(({ label, tone, words }) => (
        <div key={label} data-tone={tone}>
          <dt>{label}</dt>
          <dd>
            {words.map(each => (
              <p key={each}>{each}</p>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface ApartProps {
  readonly line: string
  readonly written: string
  readonly recomputed: string
}

function Apart({ line, written, recomputed }: ApartProps) {
  return (
    <dl className={classes.apart}>
      <div>
        <dt>Where</dt>
        <dd>{formatLine(line)}</dd>
      </div>
      <div>
        <dt>The receipt says</dt>
        <dd className="mono">{formatFigure(written)}</dd>
      </div>
      <div>
        <dt>Recomputed</dt>
        <dd className="mono">{formatFigure(recomputed)}</dd>
      </div>
    </dl>
  )
}

/** The recomputed values; if the receipt claims something else, that is shown beside them. */
function answerOf(view: ReceiptView, { receipt, difference }: Verdict): Fact[] {
  const { adjustmentPct, cumulativePct, price, currency, unit, period, adjustmentDate } = view
  const result: Partial<Record<string, unknown>> = { ...receipt.body.result }
  const label = (words: string) => (difference === null ? words : `${words}, recomputed`)
  const note = (key: string, recomputed: string | null, words: string, write: (figure: string) => string) => {
    const written = result[key]
    const claim = typeof written === 'string' && written !== recomputed ? `the receipt says ${write(written)}` : ''
    return claim === '' ? words : claim
  }
  return [
    {
      label: label('Adjustment'),
      value: formatPct(adjustmentPct),
      note: note('adjustmentPct', adjustmentPct, `${period}, ${formatDate(adjustmentDate)}`, formatPct),
    },
    ...(price === null
      ? []
      : [
          {
            label: label('Price'),
            value: formatMoney(price, currency),
            note: note('price', price, unit === null ? '' : `per ${unit}`, amount => formatMoney(amount, currency)),
          },
        ]),
    {
      label: label('Since the start'),
      value: formatPct(cumulativePct),
      note: note('cumulativePct', cumulativePct, '', formatPct),
    },
  ]
}

function receiptFacts({ receipt, isHashSame }: Verdict, view: ReceiptView): Fact[] {
  const { installation, workspace, parties, companies } = receipt.body
  const people = (label: string, side: ReceiptBody['parties']['buyer']): Fact => {
    if (side === null) return { label, value: 'nobody named' }
    if (typeof side !== 'string') return { label, value: side.join(', ') }
    const name = companies?.[side]
    return name === undefined ? { label, value: side } : { label, value: name, note: side }
  }
  return [
    { label: 'Agreement', value: view.name },
    { label: 'Version', value: view.formulaVersion.toString() },
    { label: 'Figures', value: sentenceCase(view.dataVersion.toLowerCase()) },
    ...(installation === null
      ? []
      : [
          {
            label: 'Installation',
            value: installation.name ?? <span className="mono">{installation.id}</span>,
            ...(installation.name === null ? {} : { note: installation.id }),
          },
        ]),
    ...(workspace === null ? [] : [{ label: 'Workspace', value: workspace.name, note: workspace.slug }]),
    ...(parties === undefined ? [] : [people('Buyer', parties.buyer), people('Supplier', parties.supplier)]),
    {
      label: isHashSame ? 'Hash (SHA-256)' : 'Hash, recomputed (SHA-256)',
      value: <span className="mono">{receipt.bodyHash}</span>,
    },
  ]
}
