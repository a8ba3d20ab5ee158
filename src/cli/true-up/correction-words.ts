// A correction in words, for a terminal.
import type { ShownCorrection } from '../../read/agreements/correction-view.ts'
import { alignRows } from '../frame/aligned-rows.ts'

export function formatCorrection(correction: ShownCorrection): string[] {
  const { id, agreement, state, hash, periods, lines, causes, reason, confirmed, notes, refusal } = correction
  const head = [
    `${id} ${agreement}: ${formatNet(correction)}, ${formatState(state)}`,
    `hash ${hash}`,
    ...(reason === null ? [] : [`by hand: ${reason}`]),
    ...(refusal === null ? [] : [`refused by the ${refusal.party}: ${refusal.reason}`]),
    `signed: buyer ${confirmed.buyer ?? 'not yet'}, supplier ${confirmed.supplier ?? 'not yet'}`,
  ]
  const figures = causes.map(({ series, period, before, after, tag }) => [
    series,
    period,
    before ?? '',
    '→',
    after,
    tag,
  ])
  const moved = periods.map(({ period, factorBefore, factorAfter, priceBefore, priceAfter, amount }) => [
    period,
    factorBefore,
    '→',
    factorAfter,
    priceBefore ?? '',
    priceAfter === null ? '' : `→ ${priceAfter}`,
    amount ?? '',
  ])
  const billed = lines.map(({ invoice, line, item, quantity, amount }) => [
    invoice === null ? 'declared' : `${invoice} ${line}`,
    item,
    quantity,
    amount ?? '',
  ])
  const issued = notes.map(({ part, number, date, amount }) => [`note ${part}`, number, date, amount ?? ''])
  const tables = [
    ['figures', figures, [2, 4]],
    ['periods', moved, [1, 3, 4, 5, 6]],
    ['lines', billed, [2, 3]],
    ['notes', issued, [3]],
  ] as const
  const told = tables.flatMap(([name, rows, right]) =>
    rows.length === 0 ? [] : [name, ...alignRows(rows, [...right])],
  )
  return [...head, ...told]
}

export function formatNet({ net, currency, waived }: ShownCorrection): string {
  if (net === null) return 'no amount: neither invoice lines nor quantities are kept'
  return `${net} ${currency}${waived ? ', waived' : ''}`
}

export function formatState(state: ShownCorrection['state']): string {
  return state.toLowerCase().replaceAll('_', ' ')
}
