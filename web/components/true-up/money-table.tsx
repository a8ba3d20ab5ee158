// Revisions in money: who pays whom, by what becomes of it; currencies and directions stand apart.
import type { ReactNode } from 'react'
import type { MoneyMoved } from '../../../src/views/shapes/revision-rows.ts'
import { DataTable } from '../table/data-table.tsx'
import { countOf, formatMoney } from '../words/words.ts'
import classes from './true-up.module.css'
import { moneyWords } from './words.ts'

interface MoneyTableProps {
  readonly money: MoneyMoved
  readonly label: string
  readonly action?: ReactNode
}

export function MoneyTable({ money, label, action }: MoneyTableProps) {
  if (money.length === 0) return null
  return (
    <DataTable
      className={classes.money}
      label={label}
      isTall
      rows={money}
      keyOf={({ state }) => state}
      columns={[
        {
          head: 'Signed prices that moved',
          isRowHead: true,
          cell: ({ state, agreements, withoutAmount }) => (
            <>
              {moneyWords[state]}
              <span className="under">
                {countOf(agreements, 'agreement')}
                {withoutAmount > 0 && `, ${withoutAmount} without known quantities`}
              </span>
            </>
          ),
        },
        {
          head: 'Payer and payee',
          // Each flow has its own line with its amount: beside each other the lines would not match.
          narrow: ({ flows }) =>
            flows.map(({ from, to, amount, currency }) => (
              <div key={`${from} ${to} ${currency}`}>
                {from} → {to}: <span className="figures">{formatMoney(amount, currency)}</span>
              </div>
            )),
          cell: ({ flows }) =>
            flows.map(({ from, to, currency }) => (
              <div key={`${from} ${to} ${currency}`}>
                {from} → {to}
              </div>
            )),
        },
        {
          head: 'Amount',
          isRight: true,
          narrow: 'drop',
          cell: ({ flows }) =>
            flows.map(({ from, to, amount, currency }) => (
              <div key={`${from} ${to} ${currency}`}>{formatMoney(amount, currency)}</div>
            )),
        },
        action !== undefined && {
          head: 'Action',
          isHeadUnseen: true,
          isRight: true,
          narrow: 'line',
          cell: ({ state }) => state === 'DUE' && action,
        },
      ]}
    />
  )
}
