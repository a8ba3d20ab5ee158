// Periods of an agreement, newest first, each with the settled price, signatures, and where they differ the signed price, the
// proposed one, and the one by today's figures.

import { useMemo } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { Sheet } from '../../../../src/formats/sheet.ts'
import type { AgreementPage, PeriodRow } from '../../../../src/views/shapes/agreements.ts'
import classes from '../../../components/agreements/agreement.module.css'
import type { CutTexts } from '../../../components/agreements/queries.ts'
import { isOtherToday, reportedOf } from '../../../components/agreements/settled-numbers.ts'
import { CorrectedOn } from '../../../components/agreements/settled-words.tsx'
import { SignState } from '../../../components/agreements/sign-state.tsx'
import { Tag } from '../../../components/figures/figures.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { type Columns, dayCell, figureCell, sheetOf } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { formatCauses, formatMoneyChange, formatPoints } from '../../../components/words/price-words.ts'
import { formatGround } from '../../../components/words/step-words.ts'
import { formatFigure, formatPct, formatSigned, shortenCut } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

interface PeriodsProps {
  readonly page: AgreementPage
  readonly cut: CutTexts
}

export function Periods({ page: { agreement, entries }, cut }: PeriodsProps) {
  const { slug: ws } = useWorkspace()
  const rows = useMemo(() => entries.toReversed(), [entries])
  const shown = {
    settled: rows.some(({ settled }) => settled !== null),
    corrected: rows.some(({ settled }) => settled?.correction != null),
    proposed: rows.some(({ isSigned }) => !isSigned),
  }
  return (
    <DataTable
      label="Periods"
      rows={rows}
      keyOf={({ period }) => period}
      rowProps={() => ({ 'data-to': '' })}
      columns={[
        ...periodColumns(agreement, { ws, cut }),
        ...priceColumns(agreement, shown),
        ...todayColumn(agreement, rows.some(isOtherToday)),
        ...stateColumns(agreement, {
          hasVersions: rows.some(({ formulaVersion }) => formulaVersion !== rows[0]!.formulaVersion),
          isPast: cut.asOf !== undefined || cut.knownAt !== undefined,
        }),
      ]}
    />
  )
}

interface ShownPrices {
  readonly settled: boolean
  readonly corrected: boolean
  readonly proposed: boolean
}

const allPrices: ShownPrices = { settled: true, corrected: true, proposed: true }

interface PeriodLinks {
  readonly ws: string
  readonly cut: CutTexts
}

function periodColumns({ slug, price }: AgreementPage['agreement'], { ws, cut }: PeriodLinks): Columns<PeriodRow> {
  return [
    {
      head: 'Period',
      className: 'figures',
      cell: ({ period }) => (
        <TextLink to="/w/$ws/agreements/$slug/periods/$period" params={{ ws, slug, period }} search={{ ...cut }}>
          {period}
        </TextLink>
      ),
      sheet: { period: ({ period }) => period },
    },
    {
      head: 'Date',
      className: 'figures',
      narrow: entry => (
        <span className="soft">
          {`${formatDate(entry.adjustmentDate)}, ${formatPct(reportedOf(entry).cumulativePct)} since start`}
        </span>
      ),
      cell: ({ adjustmentDate }) => formatDate(adjustmentDate),
      sheet: { 'adjustment date': ({ adjustmentDate }) => dayCell(adjustmentDate) },
    },
    {
      head: price === null ? 'Adjustment, %' : 'Change, %',
      figure: ({ step }) => formatSigned(step.changePct),
      cell: ({ step, ground }, text) => <span title={formatGround(step, ground) ?? undefined}>{text}</span>,
      sheet: {
        'adjustment %': entry => figureCell(reportedOf(entry).adjustmentPct),
        'price before': ({ step }) => figureCell(step.priceBefore),
        'change %': ({ step }) => figureCell(step.changePct),
      },
    },
    {
      head: 'Since start, %',
      narrow: 'drop',
      figure: entry => formatSigned(reportedOf(entry).cumulativePct),
      sheet: {
        'since start %': entry => figureCell(reportedOf(entry).cumulativePct),
        factor: entry => figureCell(reportedOf(entry).factor),
      },
    },
  ]
}

/** Columns of prices; without a price the number itself was corrected. */
function priceColumns({ price }: AgreementPage['agreement'], shown: ShownPrices): Columns<PeriodRow> {
  const signedPct = (entry: PeriodRow) => (entry.settled?.correction == null ? null : entry.adjustmentPct)
  if (price === null)
    return [
      shown.corrected && {
        head: 'Signed, %',
        narrow: 'label',
        figure: entry => (signedPct(entry) === null ? null : formatSigned(signedPct(entry))),
        sheet: { 'signed %': entry => figureCell(signedPct(entry)) },
      },
    ]
  const { currency } = price
  const figure = (amount: string | null) => (amount === null ? null : shortenCut(amount))
  return [
    shown.corrected && {
      head: `Signed, ${currency}`,
      narrow: 'label',
      figure: ({ settled, price: signed }) => (settled === null ? null : figure(signed)),
      sheet: { [`signed price ${currency}`]: entry => figureCell(entry.isSigned ? entry.price : null) },
    },
    shown.settled && {
      head: `Settled, ${currency}`,
      figure: ({ settled }) => figure(settled?.price ?? null),
      cell: ({ settled }, text) => (
        <>
          {text}
          {settled?.correction != null && (
            <span className={classes.quiet}>
              <CorrectedOn settled={settled} />
            </span>
          )}
        </>
      ),
      sheet: {
        [`settled price ${currency}`]: ({ settled }) => figureCell(settled?.price),
        correction: ({ settled }) => settled?.correction?.id ?? null,
        'correction agreed': ({ settled }) => dayCell(settled?.correction?.agreedAt),
      },
    },
    shown.proposed && {
      head: `Proposed, ${currency}`,
      narrow: 'label',
      figure: entry => (entry.isSigned ? null : figure(entry.price)),
      sheet: { [`proposed price ${currency}`]: entry => figureCell(entry.isSigned ? null : entry.price) },
    },
  ]
}

function todayColumn({ price }: AgreementPage['agreement'], isThere: boolean): Columns<PeriodRow> {
  const currency = price?.currency ?? null
  return [
    isThere && {
      head: `With today’s figures, ${currency ?? '%'}`,
      headClass: classes.todayHead,
      isRight: true,
      narrow: entry =>
        isOtherToday(entry) && (
          <>
            with today’s figures <Today entry={entry} currency={currency} />
          </>
        ),
      cell: entry => <Today entry={entry} currency={currency} />,
    },
  ]
}

function Today({ entry, currency }: { readonly entry: PeriodRow; readonly currency: string | null }) {
  const { today } = entry
  if (today === null || !isOtherToday(entry)) return null
  const { adjustmentPct, price, differencePoints, differenceMoney, because } = today
  const why = because === null ? '' : formatCauses(because)
  const change =
    differenceMoney !== null
      ? formatMoneyChange(differenceMoney, currency)
      : differencePoints !== null && formatPoints(differencePoints)
  return (
    <span className={`${classes.today} figures`}>
      {price === null ? formatPct(adjustmentPct) : formatFigure(shortenCut(price))}
      <span className={classes.quiet}>{change}</span>
      {why !== '' && <span className={classes.quiet}>{why}</span>}
    </span>
  )
}

interface ShownStates {
  readonly hasVersions: boolean
  readonly isPast: boolean
}

function stateColumns(
  { status }: AgreementPage['agreement'],
  { hasVersions, isPast }: ShownStates,
): Columns<PeriodRow> {
  return [
    {
      head: 'Figures',
      narrow: 'drop',
      cell: ({ dataVersion }) => <Tag tag={dataVersion} />,
      sheet: { figures: ({ dataVersion }) => dataVersion },
    },
    hasVersions && {
      head: 'Version',
      narrow: 'drop',
      cell: ({ formulaVersion }) => formulaVersion,
      sheet: { 'formula version': ({ formulaVersion }) => figureCell(formulaVersion.toString()) },
    },
    {
      head: 'Sign-off',
      narrow: entry => (
        <>
          <SignState entry={entry} status={status} isPast={isPast} /> <Tag tag={entry.dataVersion} />
        </>
      ),
      cell: entry => <SignState entry={entry} status={status} isPast={isPast} />,
      sheet: {
        'buyer signed': ({ signatures }) => dayCell(signatures.buyer?.signedAt),
        'supplier signed': ({ signatures }) => dayCell(signatures.supplier?.signedAt),
      },
    },
  ]
}

/** The table as a file, oldest first. */
export function periodSheet({ agreement, entries }: AgreementPage): Sheet {
  return sheetOf({
    name: agreement.slug,
    title: [agreement.name, `Periods, as of ${formatDate(new Date().toISOString())}`],
    columns: [
      ...periodColumns(agreement, { ws: '', cut: {} }),
      ...priceColumns(agreement, allPrices),
      ...stateColumns(agreement, { hasVersions: true, isPast: false }),
      {
        head: 'Today',
        sheet: {
          'with today’s figures %': ({ today }) => figureCell(today?.adjustmentPct),
          'with today’s figures price': ({ today }) => figureCell(today?.price),
          'because of': ({ today }) => (today?.because == null ? null : formatCauses(today.because)),
          hash: ({ hash }) => hash,
        },
      },
    ],
    rows: entries,
  })
}
