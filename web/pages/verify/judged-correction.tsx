// The verdict on a correction's receipt: its answers, the periods with both numbers, and the lines.

import { formatCarried, parseExact } from '../../../src/core/numbers/ratio.ts'
import type { PublishedKeys } from '../../../src/core/receipt/verdict.ts'
import { cutDecimals } from '../../../src/core/text/words.ts'
import { type CorrectionVerdict, formatCorrectionTrust } from '../../../src/core/true-up/correction-verdict.ts'
import { Facts } from '../../components/page/facts.tsx'
import { IconAlert, IconCheck } from '../../components/page/icons.tsx'
import { Section } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { formatFigure, formatMoney } from '../../components/words/words.ts'
import { Answers } from './judged.tsx'
import { formatKey, formatSignatures, type VerdictWords } from './verdict.ts'
import classes from './verify.module.css'

interface JudgedCorrectionProps {
  readonly fileName: string
  readonly verdict: CorrectionVerdict
  readonly own: PublishedKeys | null
}

export function JudgedCorrection({ fileName, verdict, own }: JudgedCorrectionProps) {
  const { correction, follows, problems } = verdict
  const { body, receipts } = correction
  const isGood = problems.length === 0
  const net =
    body.net === null ? 'No amount' : `${formatMoney(body.net, body.currency)}${body.waived ? ', waived' : ''}`
  return (
    <>
      <div className={classes.verdict} data-kind={isGood ? 'good' : 'bad'}>
        {isGood ? <IconCheck /> : <IconAlert />}
        <div>
          <h2>
            {isGood ? 'Verified: recomputed to the same' : follows ? 'It follows, but is not proven' : 'Different'}
          </h2>
          <p>
            {follows
              ? `${fileName}: every number of this correction follows from its ${receipts.length} receipts.`
              : `${fileName} does not give what it says. Do not rely on it:`}
          </p>
          {!isGood && (
            <ul className={classes.problems}>
              {problems.map(problem => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          )}
          <Answers told={answersOf(verdict, own)} />
        </div>
      </div>
      <Facts
        facts={[
          { label: 'Correction of', value: body.name },
          { label: 'Net', value: net },
          { label: 'Periods', value: body.periods.map(({ period }) => period).join(', ') },
        ]}
      />
      <Section title="Periods">
        <DataTable
          rows={body.periods}
          keyOf={({ period }) => period}
          columns={[
            { head: 'Period', className: 'figures', cell: ({ period }) => period },
            {
              head: 'Factor before',
              isRight: true,
              narrow: 'drop',
              cell: ({ factorBefore }) => shortFactor(factorBefore),
            },
            {
              head: 'Factor after',
              isRight: true,
              narrow: 'drop',
              cell: ({ factorAfter }) => shortFactor(factorAfter),
            },
            { head: 'Price before', isRight: true, cell: ({ priceBefore }) => priceBefore ?? '–' },
            { head: 'Price after', isRight: true, cell: ({ priceAfter }) => priceAfter ?? '–' },
            { head: 'Amount', isRight: true, cell: ({ amount }) => (amount === null ? '–' : formatFigure(amount)) },
          ]}
        />
      </Section>
    </>
  )
}

function shortFactor(exact: string): string {
  return cutDecimals(formatCarried(parseExact(exact)!), 12)
}

function answersOf(verdict: CorrectionVerdict, own: PublishedKeys | null): VerdictWords[] {
  const { correction, seal, signatures, follows } = verdict
  const word = formatCorrectionTrust(verdict).map(each => `${each[0]!.toUpperCase()}${each.slice(1)}.`)
  return [
    {
      label: 'Follows',
      tone: follows ? 'good' : 'bad',
      words: [follows ? 'Yes, factors, prices, amounts and the net.' : 'No.'],
    },
    formatKey({ receipt: { seal: correction.seal }, seal }, own),
    formatSignatures({ signatures }, correction.body.parties),
    { label: 'On the operator’s word', tone: 'open', words: word.length === 0 ? ['Nothing.'] : word },
  ]
}
