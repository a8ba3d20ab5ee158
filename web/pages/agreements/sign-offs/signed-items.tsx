// Things to sign, each with the money it moves, and their total. Prices are added only per currency and unit.
import { formatDate } from '../../../../src/core/text/words.ts'

import { changeWords } from '../../../../src/core/true-up/change-kinds.ts'
import type { AgreementToSign, ChangeRow, CorrectionRow } from '../../../../src/views/shapes/inbox.ts'
import { State } from '../../../components/figures/figures.tsx'
import { PriceWay } from '../../../components/figures/price-way.tsx'
import { IconChevron } from '../../../components/page/icons.tsx'
import type { Columns } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { type Opened, useOpened } from '../../../components/table/use-opened.ts'
import { formatMoneyChange } from '../../../components/words/price-words.ts'
import { formatSide } from '../../../components/words/side-words.ts'
import { formatGround } from '../../../components/words/step-words.ts'
import { countOf, formatPct, formatSigned } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { effectTotals, figuresOf, sumOf, type Total, totalsOf } from './row-figures.ts'
import classes from './sign-offs.module.css'

interface SignedThings {
  readonly agreements: readonly AgreementToSign[]
  readonly corrections: readonly CorrectionRow[]
}

export function Totals({ agreements, corrections }: SignedThings) {
  const periods = agreements.reduce((sum, each) => sum + each.periods.length, 0)
  const totals = totalsOf(agreements)
  const effects = effectTotals(agreements)
  const corrected = Map.groupBy(
    corrections.filter(({ net }) => net !== null),
    ({ currency }) => currency,
  )
  return (
    <div className={classes.totals}>
      <p>
        {agreements.length > 0 && `${countOf(periods, 'period')} of ${countOf(agreements.length, 'agreement')}`}
        {agreements.length > 0 && corrections.length > 0 && ', '}
        {corrections.length > 0 && countOf(corrections.length, 'correction')}
      </p>
      {effects.map(({ currency, amount, paid, agreements: known }) => (
        <p key={currency}>
          {amount !== null && (
            <>
              <strong className="figures">{formatMoneyChange(amount, currency)}</strong> for the declared quantities
            </>
          )}
          {amount !== null && paid !== null && paid !== amount && ', '}
          {paid !== null && paid !== amount && (
            <>
              <strong className="figures">{formatMoneyChange(paid, currency)}</strong> compared with what is paid now,
              over all periods
            </>
          )}
          {known < agreements.length && `, known for ${known} of ${countOf(agreements.length, 'agreement')}`}
        </p>
      ))}
      {[...corrected].map(([currency, own]) => (
        <p key={currency}>
          <strong className="figures">{formatMoneyChange(sumOf(own.map(({ net }) => net!)), currency)}</strong> by
          corrections
        </p>
      ))}
      {agreements.length > 1 && totals.length > 0 && (
        <ul className={classes.perUnit} aria-label="Change of prices per currency and unit">
          {totals.map(total => (
            <li key={`${total.currency} ${total.unit}`}>
              <span className="figures">{formatTotal(total)}</span>
              <span className="soft"> {formatOfEach(total)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Changes to sign, each of one agreement; its page has the figures behind it. */
export function ChangesSigned({ changes }: { readonly changes: readonly ChangeRow[] }) {
  return (
    <DataTable
      label="Changes of terms to sign"
      rows={changes}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Agreement with new terms', className: classes.name, cell: ({ name }) => <Line text={name} /> },
        {
          head: 'Change',
          narrow: 'line',
          cell: ({ change, series }) =>
            change === 'SPLICE' ? <span className="mono">{series.join(' → ')}</span> : changeWords[change],
        },
        { head: 'From', className: 'figures', cell: ({ effectiveFrom }) => formatDate(effectiveFrom) },
      ]}
    />
  )
}

/** `+12.40 EUR / t`. */
function formatTotal({ currency, unit, difference }: Total): string {
  return `${formatMoneyChange(difference, currency)}${unit === null ? '' : `\u202f/\u202f${unit}`}`
}

function formatOfEach({ agreements }: Total): string {
  return agreements === 1 ? '1 agreement' : `sum of the price changes of ${agreements} agreements`
}

export function WhatIsSigned({ agreements, corrections }: SignedThings) {
  const { role } = useWorkspace()
  const opened = useOpened(agreements.length === 1 ? agreements.map(({ slug }) => slug) : [])
  return (
    <>
      {agreements.length > 0 && (
        <DataTable
          label="Periods to sign"
          className={classes.signed}
          rows={agreements}
          keyOf={({ slug }) => slug}
          columns={signedColumns(role === 'supplier', opened)}
          below={agreement => opened.has(agreement.slug) && <PeriodLines agreement={agreement} />}
        />
      )}
      {corrections.length > 0 && (
        <DataTable
          label="Corrections to sign"
          rows={corrections}
          keyOf={({ id }) => id}
          columns={[
            { head: 'Corrected agreement', className: classes.name, cell: ({ name }) => <Line text={name} /> },
            { head: 'Periods', narrow: 'label', isRight: true, cell: ({ periods }) => periods },
            {
              head: 'Amount',
              isRight: true,
              className: 'figures',
              cell: ({ net, currency }) => (net === null ? 'none known' : formatMoneyChange(net, currency)),
            },
          ]}
        />
      )}
    </>
  )
}

function Line({ text }: { readonly text: string }) {
  return (
    <span className={classes.oneLine} title={text}>
      {text}
    </span>
  )
}

function signedColumns(isSupplier: boolean, opened: Opened): Columns<AgreementToSign> {
  return [
    {
      head: 'Agreement',
      className: classes.name,
      cell: agreement => <Agreement agreement={agreement} isSupplier={isSupplier} opened={opened} />,
    },
    { head: 'Periods', isRight: true, narrow: 'label', cell: ({ periods }) => periods.length },
    {
      head: 'Price',
      isRight: true,
      narrow: 'line',
      className: 'figures',
      cell: agreement => <PriceWay step={figuresOf(agreement)} currency={agreement.currency} unit={agreement.unit} />,
    },
    {
      head: 'Change',
      isRight: true,
      narrow: 'label',
      className: 'figures',
      cell: agreement => formatPct(figuresOf(agreement).changePct),
    },
    {
      head: 'Effect',
      isRight: true,
      narrow: 'label',
      className: 'figures',
      cell: agreement => {
        const { effect, difference } = figuresOf(agreement)
        if (effect !== null) return formatMoneyChange(effect, agreement.currency)
        const unit = agreement.unit === null ? '' : `\u202f/\u202f${agreement.unit}`
        return difference !== null && <span className="soft">{`${formatSigned(difference)}${unit}`}</span>
      },
    },
  ]
}

interface AgreementProps {
  readonly agreement: AgreementToSign
  readonly isSupplier: boolean
  readonly opened: Opened
}

function Agreement({ agreement, isSupplier, opened }: AgreementProps) {
  const { slug, name, supplier, periods, ground } = agreement
  const words = formatGround(figuresOf(agreement), ground)
  return (
    <span className={classes.line}>
      <button
        type="button"
        className={classes.expand}
        aria-expanded={opened.has(slug)}
        aria-label={`Periods of ${name}`}
        onClick={() => opened.turn(slug)}
      >
        <IconChevron />
      </button>
      <span className={classes.names}>
        <Line text={name} />
        {!isSupplier && <span className={`soft ${classes.oneLine}`}>{formatSide(supplier)}</span>}
        {words !== null && <span className={classes.ground}>{words}</span>}
        {periods.some(({ isDisputed }) => isDisputed) && <State kind="trouble">disputed</State>}
      </span>
    </span>
  )
}

function PeriodLines({ agreement: { periods, currency } }: { readonly agreement: AgreementToSign }) {
  return (
    <ul className={classes.periodLines}>
      {periods.map(({ period, date, isDisputed, hasMoved, ...step }) => (
        <li key={period} className="figures">
          <span>{period}</span>
          <span className="soft">{formatDate(date)}</span>
          <span>{formatPct(step.changePct)}</span>
          <span>
            <PriceWay step={step} currency={currency} unit={null} />
          </span>
          <span>
            {step.effect !== null && formatMoneyChange(step.effect, currency)}
            {isDisputed && <State kind="trouble">disputed</State>}
            {hasMoved && <State kind="trouble">moved since it was signed</State>}
          </span>
        </li>
      ))}
    </ul>
  )
}
