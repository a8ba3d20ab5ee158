// Periods that both sides have signed recently, each with its number, its price and the signatures.

import { parties } from '../../../../src/core/parties.ts'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { Party, PeriodRow, SignedRow } from '../../../../src/views/shapes/agreements.ts'
import { State } from '../../../components/figures/figures.tsx'
import { PriceWay } from '../../../components/figures/price-way.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import type { Column } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { formatSigned, sentenceCase } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './sign-offs.module.css'

export function RecentTable({ rows }: { readonly rows: readonly SignedRow[] }) {
  const { slug: ws } = useWorkspace()
  return (
    <DataTable
      label="Recently signed"
      rows={rows}
      keyOf={({ slug, entry }) => `${slug} ${entry.period}`}
      columns={[
        {
          head: 'Agreement',
          className: classes.name,
          cell: ({ name, slug }) => (
            <span className={classes.oneLine} title={name}>
              <TextLink to="/w/$ws/agreements/$slug" params={{ ws, slug }}>
                {name}
              </TextLink>
            </span>
          ),
        },
        {
          head: 'Period',
          narrow: row => <Period row={row} ws={ws} />,
          className: 'figures',
          cell: row => <Period row={row} ws={ws} />,
        },
        { head: 'Change, %', narrow: 'label', figure: ({ entry: { step } }) => formatSigned(step.changePct) },
        {
          head: 'Price',
          isRight: true,
          narrow: 'line',
          cell: ({ entry: { step }, currency, unit }) => <PriceWay step={step} currency={currency} unit={unit} />,
        },
        ...parties.map(
          (party): Column<SignedRow> => ({
            head: `${sentenceCase(party)} signed`,
            narrow: ({ entry }) => (
              <>
                {party}: <Side entry={entry} party={party} isNarrow />
              </>
            ),
            cell: ({ entry }) => <Side entry={entry} party={party} />,
          }),
        ),
      ]}
    />
  )
}

function Period({ row: { slug, entry }, ws }: { readonly row: SignedRow; readonly ws: string }) {
  return (
    <>
      <TextLink
        className="in-text"
        to="/w/$ws/agreements/$slug/periods/$period"
        params={{ ws, slug, period: entry.period }}
      >
        {entry.period}
      </TextLink>
      {entry.today !== null && <span className={classes.mark}>would differ today</span>}
    </>
  )
}

interface SideProps {
  readonly entry: PeriodRow
  readonly party: Party
  /** The day stands beside the name, else under it. */
  readonly isNarrow?: boolean
}

function Side({ entry, party, isNarrow = false }: SideProps) {
  const signature = entry.signatures[party]
  if (signature === null) return <State kind="waiting">not signed</State>
  const day = formatDate(signature.signedAt)
  return (
    <>
      <State kind="good">{isNarrow ? `${signature.name}, ${day}` : signature.name}</State>
      {!isNarrow && <div className="soft">{day}</div>}
      {signature.means === 'OPERATOR' && <span className={classes.mark}>by the operator</span>}
    </>
  )
}
