// `prices list`: the prices of an agreement, one row for each item, step and period.
import type { PriceStatus } from '../../core/prices/agreement.ts'
import { keyedRow, type PriceRow } from '../../core/prices/price-rows.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { today } from '../frame/clock.ts'
import { textOption } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { preparedCommand } from '../frame/workspace-command.ts'
import { dayOption, refuseTogether } from './price-files.ts'

export const pricesListCommand = preparedCommand({
  name: 'prices list',
  usage: '<slug> --workspace W [--period P | --date D] [--item I]',
  summary: 'Lists the prices of an agreement by item, quantity step and period, settled and proposed.',
  options: {
    period: { type: 'string', value: 'P', help: 'this period alone, such as 2024-Q2 or start' },
    date: { type: 'string', value: 'D', help: 'the prices in force on this day, such as 2024-05-17' },
    item: { type: 'string', value: 'I', help: 'this item alone' },
  },
  positionals: 1,
  prepare: invocation => {
    refuseTogether(invocation, ['period', 'date'])
    return { date: dayOption(invocation, 'date') }
  },
  async work({ invocation, workspace, installation }, { date }) {
    const library = openLibrary(installation, invocation)
    const rows = await library.prices.rows(workspace.id, invocation.positionals[0]!, {
      period: textOption(invocation, 'period') ?? undefined,
      date,
      item: textOption(invocation, 'item') ?? undefined,
      knownAt: null,
      until: today(),
    })
    const data = rows.map(keyedRow)
    const none = 'no prices yet; add a list with assize prices apply\n'
    return { json: { data }, words: data.length === 0 ? none : alignRows(data.map(cellsOf), [4], '') }
  },
})

function cellsOf(row: PriceRow): string[] {
  const { item, fromQuantity, period, price, per, unit, currency, status, proposed } = row
  const each = [per === '1' ? '' : per, unit].filter(text => text !== '').join(' ')
  return [
    item,
    fromQuantity === '0' ? '' : `from ${fromQuantity}`,
    period,
    daysOf(row),
    price,
    each === '' ? currency : `${currency} per ${each}`,
    statusWords[status],
    proposed === null ? '' : `${proposed.price} ${statusWords[proposed.status]} for ${proposed.period}`,
  ]
}

/** Days of a price; a proposed price has no day until which it is in force. */
function daysOf({ status, validFrom, validTo, inForceUntil, proposed }: PriceRow): string {
  const isSettled = status === 'AGREED'
  const last = isSettled ? inForceUntil : validTo
  if (last === null && proposed !== null) return `${validFrom} until the next is signed`
  return `${validFrom} to ${last ?? 'open'}`
}

/** Words for the state; a price not signed by both is no settled price yet. */
const statusWords: Readonly<Record<PriceStatus, string>> = {
  AGREED: 'settled',
  SIGNED_BY_BUYER: 'proposed, signed by the buyer',
  SIGNED_BY_SUPPLIER: 'proposed, signed by the supplier',
  OPEN: 'proposed',
}
