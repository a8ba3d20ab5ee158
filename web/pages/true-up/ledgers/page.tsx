// The ledgers of all agreements: one row for each supplier and currency, who owes whom, and the agreements behind it.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LedgersPage as LedgersView } from '../../../../src/views/shapes/true-up.ts'
import { isNothing } from '../../../components/figures/decimals.ts'
import { IconSign } from '../../../components/page/icons.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { Empty, LoadingPage, PageHead, Trouble } from '../../../components/page/page.tsx'
import { type Column, figureCell, sheetOf } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import { useOpened } from '../../../components/table/use-opened.ts'
import { Updating } from '../../../components/true-up/incomplete-list.tsx'
import { ProposeButton } from '../../../components/true-up/propose-button.tsx'
import { ProposeDialog } from '../../../components/true-up/propose-dialog.tsx'
import { ledgersQuery } from '../../../components/true-up/queries.ts'
import classes from '../../../components/true-up/true-up.module.css'
import { formatAbsolute, payeeOf } from '../../../components/true-up/words.ts'
import { countOf } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

type LedgerGroup = LedgersView['groups'][number]
type Sides = Pick<LedgerGroup, 'buyer' | 'supplier' | 'currency'>
type LedgerLine = LedgerGroup['agreements'][number] & { readonly sides: Sides }

export function LedgersPage() {
  const workspace = useWorkspace()
  const { data, error, refetch } = useQuery(ledgersQuery(workspace))
  const [isProposing, setProposing] = useState(false)
  if (data === undefined)
    return error === null ? (
      <LoadingPage />
    ) : (
      <>
        <PageHead title="Ledgers" />
        <Trouble error={error} retry={() => void refetch()} />
      </>
    )
  const lines = data.groups.flatMap(linesOf)
  return (
    <>
      <PageHead
        title="Ledgers"
        under={
          data.updating > 0 || data.count === 0
            ? 'Open amounts between buyers and suppliers'
            : `Open amounts between buyers and suppliers, from ${countOf(data.count, 'agreement')} with prices`
        }
        actions={
          <>
            <ExportMenu
              fileName="ledgers"
              sheet={() => sheetOf({ name: 'Ledgers', columns: fileColumns, rows: lines })}
              isEmpty={lines.length === 0}
            />
            {data.mayPropose && (
              <ProposeButton
                size="xs"
                leftSection={<IconSign />}
                words="Propose all due"
                updating={data.updating}
                open={() => setProposing(true)}
              />
            )}
          </>
        }
      />
      <Updating {...data} />
      <Groups page={data} />
      {isProposing && (
        <ProposeDialog
          wanted={{ of: 'all' }}
          what="Every due correction of your agreements"
          close={() => setProposing(false)}
        />
      )}
    </>
  )
}

function linesOf({ agreements, ...sides }: LedgerGroup): readonly LedgerLine[] {
  return agreements.map(each => ({ ...each, sides }))
}

function Groups({ page: { groups, updating } }: { readonly page: LedgersView }) {
  const opened = useOpened()
  const { canEdit } = useWorkspace()
  if (groups.length === 0)
    return updating > 0 ? null : (
      <Empty title="Nothing is billed, agreed or due">
        {canEdit
          ? 'Import invoice lines or quantities, and the amounts that each side owes the other are added up here.'
          : 'As soon as the buyer’s owners and editors import invoice lines or quantities, the amounts that each side owes the other are added up here.'}
      </Empty>
    )
  return (
    <DataTable
      label="Ledgers by supplier"
      isTall
      rows={groups}
      keyOf={keyOf}
      columns={[
        {
          head: 'Supplier',
          isRowHead: true,
          className: classes.cause,
          cell: ({ supplier, agreements }) => (
            <>
              {supplier}
              <span className="under">{countOf(agreements.length, 'agreement')}</span>
            </>
          ),
        },
        ...moneyColumns<LedgerGroup>(
          ({ owed }) => owed,
          group => group,
        ),
      ]}
      actions={group => (
        <Anchor
          component="button"
          type="button"
          inherit
          aria-expanded={opened.has(keyOf(group))}
          onClick={() => opened.turn(keyOf(group))}
        >
          {opened.has(keyOf(group)) ? 'Hide' : 'Show'}
          <span className="unseen">
            {' '}
            agreements with {group.supplier} in {group.currency}
          </span>
        </Anchor>
      )}
      below={group => opened.has(keyOf(group)) && <Agreements group={group} />}
    />
  )
}

function keyOf({ buyer, supplier, currency }: LedgerGroup): string {
  return `${buyer} ${supplier} ${currency}`
}

function Agreements({ group }: { readonly group: LedgerGroup }) {
  const { slug: ws } = useWorkspace()
  return (
    <div className={classes.inside}>
      <DataTable
        label={`Agreements with ${group.supplier} in ${group.currency}`}
        rows={linesOf(group)}
        keyOf={({ slug }) => slug}
        columns={[
          {
            head: 'Agreement',
            isRowHead: true,
            className: classes.name,
            cell: ({ slug, name }) => (
              <TextLink to="/w/$ws/agreements/$slug/ledger" params={{ ws, slug }}>
                {name}
              </TextLink>
            ),
          },
          ...moneyColumns<LedgerLine>(
            ({ owed }) => owed,
            ({ sides }) => sides,
          ),
        ]}
      />
    </div>
  )
}

const parts = {
  total: 'Owed',
  agreed: 'Agreed, not billed',
  billingDifferences: 'Billed wrongly',
  due: 'Due by revision',
  waitingForFinal: 'Waiting for final figures',
  underMinimum: 'Under the minimum',
} as const

function moneyColumns<Row>(
  owedOf: (row: Row) => LedgerGroup['owed'],
  sidesOf: (row: Row) => Sides,
): readonly Column<Row>[] {
  return (Object.keys(parts) as (keyof typeof parts)[]).map(part => ({
    head: parts[part],
    isRight: true,
    headClass: classes.account,
    ...(part === 'total' ? {} : { narrow: 'label' as const }),
    // The cell is empty where nothing is owed: on a narrow screen a label alone would say nothing.
    cell: (row: Row) => {
      const amount = owedOf(row)[part]
      return isNothing(amount) ? null : <Way amount={amount} sides={sidesOf(row)} />
    },
  }))
}

function Way({ amount, sides }: { readonly amount: string; readonly sides: Sides }) {
  return (
    <>
      {formatAbsolute(amount, sides.currency)}
      <span className={`under ${classes.payee}`}>to {payeeOf(amount, sides)}</span>
    </>
  )
}

/** Amounts have a sign: the buyer still has to pay a positive one. */
const fileColumns: readonly Column<LedgerLine>[] = [
  {
    head: 'file',
    sheet: {
      supplier: ({ sides }) => sides.supplier,
      buyer: ({ sides }) => sides.buyer,
      agreement: ({ slug }) => slug,
      name: ({ name }) => name,
      currency: ({ sides }) => sides.currency,
      ...Object.fromEntries(
        [...(Object.keys(parts) as (keyof typeof parts)[]), 'provisional' as const].map(part => [
          part,
          ({ owed }: LedgerLine) => figureCell(owed[part]),
        ]),
      ),
    },
  },
]
