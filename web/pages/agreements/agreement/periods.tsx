// The periods of an agreement, newest first, each with its number, its signatures, and what a signed number would be today.

import { useMemo } from 'react'
import type { Sheet } from '../../../../src/formats/sheet.ts'
import type { AgreementPage, PeriodRow } from '../../../../src/views/shapes/agreements.ts'
import classes from '../../../components/agreements/agreement.module.css'
import { isSameToday } from '../../../components/agreements/effects.ts'
import type { CutTexts } from '../../../components/agreements/queries.ts'
import { SignState } from '../../../components/agreements/sign-state.tsx'
import { Tag } from '../../../components/figures/figures.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { type Columns, dayCell, figureCell, sheetOf } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { writeCauses, writeMoneyChange, writePoints } from '../../../components/words/price-words.ts'
import { shortenCut, writeDay, writeMoney, writePct, writeSigned } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

interface PeriodsProps {
  readonly page: AgreementPage
  readonly cut: CutTexts
}

export function Periods({ page: { formula, entries }, cut }: PeriodsProps) {
  const { slug: ws } = useWorkspace()
  const rows = useMemo(() => entries.toReversed(), [entries])
  const isRevised = rows.some(({ today }) => today !== null)
  return (
    <DataTable
      label="Periods"
      rows={rows}
      keyOf={({ period }) => period}
      rowProps={() => ({ 'data-to': '' })}
      columns={[...numberColumns(formula, { ws, cut }), ...stateColumns(formula, isRevised)]}
    />
  )
}

interface PeriodLinks {
  readonly ws: string
  readonly cut: CutTexts
}

function numberColumns({ slug, price }: AgreementPage['formula'], { ws, cut }: PeriodLinks): Columns<PeriodRow> {
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
      narrow: ({ adjustmentDate, cumulativePct }) => (
        <span className="soft">{`${writeDay(adjustmentDate)}, ${writePct(cumulativePct)} since start`}</span>
      ),
      cell: ({ adjustmentDate }) => writeDay(adjustmentDate),
      sheet: { 'adjustment date': ({ adjustmentDate }) => dayCell(adjustmentDate) },
    },
    {
      head: 'Adjustment, %',
      figure: ({ adjustmentPct }) => writeSigned(adjustmentPct),
      sheet: { 'adjustment %': ({ adjustmentPct }) => figureCell(adjustmentPct) },
    },
    {
      head: 'Since start, %',
      narrow: 'drop',
      figure: ({ cumulativePct }) => writeSigned(cumulativePct),
      sheet: {
        'since start %': ({ cumulativePct }) => figureCell(cumulativePct),
        factor: ({ factor }) => figureCell(factor),
      },
    },
    price !== null && {
      head: `Price, ${price.currency}${price.unit && ` per ${price.unit}`}`,
      figure: entry => (entry.price === null ? null : shortenCut(entry.price)),
      sheet: { [`price ${price.currency}`]: entry => figureCell(entry.price) },
    },
  ]
}

function stateColumns({ price, status }: AgreementPage['formula'], isRevised: boolean): Columns<PeriodRow> {
  const currency = price?.currency ?? null
  return [
    {
      head: 'Figures',
      narrow: 'drop',
      cell: ({ dataVersion }) => <Tag tag={dataVersion} />,
      sheet: { figures: ({ dataVersion }) => dataVersion },
    },
    {
      head: 'Version',
      narrow: 'drop',
      cell: ({ formulaVersion }) => formulaVersion,
      sheet: { 'formula version': ({ formulaVersion }) => figureCell(formulaVersion.toString()) },
    },
    {
      head: 'Sign-off',
      narrow: entry => (
        <>
          <SignState entry={entry} status={status} /> <Tag tag={entry.dataVersion} />
        </>
      ),
      cell: entry => <SignState entry={entry} status={status} />,
      sheet: {
        'buyer signed': ({ signatures }) => dayCell(signatures.buyer?.signedAt),
        'supplier signed': ({ signatures }) => dayCell(signatures.supplier?.signedAt),
      },
    },
    isRevised && {
      head: 'Would be today',
      narrow: entry =>
        entry.today !== null && (
          <>
            would be today <Today entry={entry} currency={currency} />
          </>
        ),
      cell: entry => <Today entry={entry} currency={currency} />,
    },
  ]
}

function Today({ entry, currency }: { readonly entry: PeriodRow; readonly currency: string | null }) {
  const { today } = entry
  if (today === null) return null
  const { adjustmentPct, price, differencePoints, differenceMoney, because } = today
  const why = because === null ? '' : writeCauses(because)
  if (isSameToday(today))
    return (
      <span className={classes.today}>
        the same{why !== '' && <span className={classes.quiet}>since start: {why}</span>}
      </span>
    )
  return (
    <span className={`${classes.today} figures`}>
      {writePct(adjustmentPct)}
      {price !== null && `, ${writeMoney(price, currency)}`}
      <span className={classes.quiet}>
        {differencePoints !== null && writePoints(differencePoints)}
        {differenceMoney !== null && `, ${writeMoneyChange(differenceMoney, currency)}`}
      </span>
      {why !== '' && <span className={classes.quiet}>{why}</span>}
    </span>
  )
}

/** The table as a file, oldest first. */
export function periodSheet({ formula, entries }: AgreementPage): Sheet {
  return sheetOf({
    name: formula.slug,
    title: [formula.name, `Periods, as of ${writeDay(new Date().toISOString())}`],
    columns: [
      ...numberColumns(formula, { ws: '', cut: {} }),
      ...stateColumns(formula, false),
      {
        head: 'Today',
        sheet: {
          'would be today %': ({ today }) => figureCell(today?.adjustmentPct),
          'would be today price': ({ today }) => figureCell(today?.price),
          'because of': ({ today }) => (today?.because == null ? null : writeCauses(today.because)),
          hash: ({ hash }) => hash,
        },
      },
    ],
    rows: entries,
  })
}
