// Settled price of an agreement: the agreed one and its signers, its correction, the price by today's figures, and beside it the
// proposed one that is not signed.

import type { ReactNode } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { AgreementPage, PeriodRow, SettledView } from '../../../../src/views/shapes/agreements.ts'
import type { CutTexts } from '../../../components/agreements/queries.ts'
import { isContractPrice, isOtherToday, proposedOf } from '../../../components/agreements/settled-numbers.ts'
import { CorrectedWords, signedLines } from '../../../components/agreements/settled-words.tsx'
import { formatNotSignedThen, missingParties } from '../../../components/agreements/sign-state.tsx'
import type { Fact } from '../../../components/page/facts.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { formatFactor, formatPrice } from '../../../components/words/price-words.ts'
import { formatGround } from '../../../components/words/step-words.ts'
import { formatFrequency, formatMoney, formatParties, formatPct } from '../../../components/words/words.ts'

interface PageAddress {
  readonly ws: string
  readonly cut: CutTexts
}

export function settledFacts(page: AgreementPage, place: PageAddress): Fact[] {
  const { settled } = page.agreement
  return [
    ...(settled === null ? [] : [settledFact(page, settled)]),
    ...proposedFact(page, place),
    ...(settled === null || isContractPrice(settled) ? [] : movementFacts(page, settled, place)),
    ...nextFact(page),
  ]
}

/** The price, or without one the factor. */
function amountOf({ agreement: { price } }: AgreementPage, number: { price: string | null; factor: string }): string {
  return price === null || number.price === null
    ? formatFactor(number.factor)
    : formatPrice(number.price, { ...price, unit: null })
}

function settledFact(page: AgreementPage, settled: SettledView): Fact {
  const { agreement, entries, contract } = page
  const { price, asSupplier, status } = agreement
  const isOver = asSupplier !== null && asSupplier.until !== null
  const what = price === null ? 'price factor' : 'price'
  const label = isContractPrice(settled)
    ? price === null
      ? 'Settled price factor'
      : 'Settled: the contract’s price'
    : `${isOver ? 'Last settled' : 'Settled'} ${what}`
  const entry = entries.find(({ period }) => period === settled.period)
  const unit = price === null ? 'price ÷ price at start' : price.unit ? `per ${price.unit}` : null
  const isRenegotiated = settled.date > contract.start
  const since = !isContractPrice(settled)
    ? `since ${formatDate(settled.date)}`
    : isRenegotiated
      ? `renegotiated from ${formatDate(settled.date)}`
      : status === 'DRAFT'
        ? 'this is a draft'
        : 'no adjustment is signed by both sides yet'
  return {
    label,
    value: amountOf(page, settled),
    note: (
      <Lines>
        {[unit, since].filter(Boolean).join(', ')}
        {entry === undefined ? null : <Lines>{signedLines(entry.signatures)}</Lines>}
        {settled.correction === null ? null : <CorrectedWords settled={settled} />}
        {entry === undefined || !isOtherToday(entry) ? null : withToday(page, entry)}
      </Lines>
    ),
  }
}

function withToday({ agreement: { price } }: AgreementPage, { today }: PeriodRow): string {
  const { adjustmentPct, price: amount } = today!
  return `with today’s figures ${amount === null ? formatPct(adjustmentPct) : formatMoney(amount, price?.currency)}`
}

function Lines({ children }: { readonly children: readonly ReactNode[] }) {
  const lines = children.filter(child => child !== null && child !== '')
  return lines.map((line, i) => <div key={i.toString()}>{line}</div>)
}

function proposedFact(page: AgreementPage, { ws, cut }: PageAddress): Fact[] {
  const { agreement } = page
  const proposed = proposedOf(agreement)
  if (proposed === null) return []
  const { period, adjustmentDate, signatures, step, ground, disputedBy } = proposed
  const isByFigures = cut.asOf !== undefined
  const words = formatGround(step, ground)
  const missing = missingParties(signatures)
  const waits =
    agreement.status !== 'ACTIVE' || missing.length === 0
      ? null
      : disputedBy.length > 0
        ? `disputed by ${formatParties(disputedBy)}`
        : cut.knownAt !== undefined
          ? formatNotSignedThen(missing)
          : `waits for ${formatParties(missing)}`
  return [
    {
      label: isByFigures ? 'With the figures published by then' : 'Proposed, not signed',
      value: amountOf(page, proposed),
      note: (
        <Lines>
          {[
            <PeriodLink key="period" {...{ ws, cut, period }} slug={agreement.slug} />,
            `${words === null ? `, ${formatPct(step.changePct)}` : ''} from ${formatDate(adjustmentDate)}`,
          ]}
          {words}
          {isByFigures ? null : waits}
        </Lines>
      ),
    },
  ]
}

function movementFacts({ agreement, contract }: AgreementPage, settled: SettledView, { ws, cut }: PageAddress): Fact[] {
  const { price, slug, settledPct } = agreement
  return [
    {
      label: 'Since the start',
      value: formatPct(settled.cumulativePct),
      note: price === null ? formatDate(contract.start) : `from ${formatPrice(price.amount, { ...price, unit: null })}`,
    },
    {
      label: 'Last agreed adjustment',
      value: formatPct(settledPct),
      note: (
        <>
          <PeriodLink {...{ ws, cut, slug }} period={settled.period} />, {formatDate(settled.date)}
        </>
      ),
    },
  ]
}

function nextFact({ agreement: { asSupplier, nextDate }, contract }: AgreementPage): Fact[] {
  if (asSupplier !== null && asSupplier.until !== null) return []
  return [
    {
      label: 'Next date',
      value: nextDate === null ? 'none' : formatDate(nextDate),
      note: nextDate === null ? 'the calendar has ended' : formatFrequency(contract.frequency),
    },
  ]
}

function PeriodLink({ ws, cut, slug, period }: PageAddress & { readonly slug: string; readonly period: string }) {
  return (
    <TextLink
      className="in-text"
      to="/w/$ws/agreements/$slug/periods/$period"
      params={{ ws, slug, period }}
      search={{ ...cut }}
    >
      {period}
    </TextLink>
  )
}
