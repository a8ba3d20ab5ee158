// Order of the inbox by one of its columns. Money and prices are compared within a currency and a unit only; rows without a key
// come last in either direction.
import { compare, ratio } from '../../../../src/core/numbers/ratio.ts'
import type { InboxRow } from '../../../../src/views/shapes/inbox.ts'
import { formatSide } from '../../../components/words/side-words.ts'
import { figuresOf } from './row-figures.ts'
import { sizeOfRow } from './selection.ts'
import { stateOfRow } from './state-words.ts'

/** Key of a row in the order: the group within which it is compared, and the figure or the word. Null for none. */
type Key = { readonly within: string; readonly by: string; readonly isFigure: boolean } | null

const word = (by: string | null): Key => (by === null ? null : { within: '', by: by.toLowerCase(), isFigure: false })
const figure = (by: string | null, within = ''): Key =>
  by === null ? null : { within, by: by.replace('…', ''), isFigure: true }

const keys: Readonly<Record<string, (row: InboxRow) => Key>> = {
  name: row => word(row.name),
  supplier: row => word(formatSide(row.supplier)),
  periods: row => figure(`${row.kind === 'correction' ? row.periods : sizeOfRow(row)}`),
  change: row => {
    if (row.kind !== 'periods') return null
    return figure(figuresOf(row).changePct)
  },
  price: row =>
    row.kind === 'periods' ? figure(figuresOf(row).price, `${row.currency ?? ''} ${row.unit ?? ''}`) : null,
  effect: row => {
    if (row.kind === 'change') return null
    return figure(row.kind === 'correction' ? row.net : figuresOf(row).effect, row.currency ?? '')
  },
  state: row => word(stateOfRow(row).words),
}

/** `name`, or `-name` for descending order; as they came for any other. */
export function sortRows(rows: readonly InboxRow[], order: string | undefined): readonly InboxRow[] {
  const isDown = order?.startsWith('-') ?? false
  const keyOf = keys[order?.replace(/^-/, '') ?? '']
  if (keyOf === undefined) return rows
  return rows
    .map(row => ({ row, key: keyOf(row) }))
    .sort((a, b) => {
      if (a.key === null || b.key === null) return (a.key === null ? 1 : 0) - (b.key === null ? 1 : 0)
      if (a.key.within !== b.key.within) return a.key.within < b.key.within ? -1 : 1
      const way = a.key.isFigure
        ? compare(ratio(a.key.by), ratio(b.key.by))
        : a.key.by.localeCompare(b.key.by, 'en', { numeric: true })
      return isDown ? -way : way
    })
    .map(({ row }) => row)
}
