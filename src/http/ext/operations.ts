// What the description says about each route of /ext/v1 beyond the table that serves it.
import { type Operation, usual } from '../api/operation.ts'

export const tags = [
  { name: 'Many at once', description: 'Numbers, values and series of many agreements in one answer.' },
  { name: 'What is new', description: 'Feeds of changes and vintages, with a cursor that is good for ever.' },
] as const

/** By path, as routes.ts writes it. */
export const operations: Readonly<Record<string, Operation>> = {
  '/changes': {
    operationId: 'listChanges',
    tag: 'What is new',
    description:
      'Everything that can move a number or a term, in order, each thing once. Without a cursor it begins now; `from=start` begins at the beginning; `nextCursor` is always there and good for ever. With `wait` the answer is held until something comes or the seconds are over; it counts as one request. At most 2 answers are held for a key; one more is answered at once. After a restore from an older backup the answer is 409: walk everything again. A public series appears from the moment it is followed. In one sequence of publications the order is theirs; those of the public series are placed by their instants.',
    views: [usual('ChangeList', 'from=start&kinds=observations,formula')],
    isList: true,
    mayConflict: true,
  },
  '/vintages': {
    operationId: 'listNewVintages',
    tag: 'What is new',
    description:
      'Every vintage of all series your workspace sees that was recorded since the cursor, in recorded order. Cursor, `from` and 409 as for `/changes`. Of a series that is followed later, only what comes after; its past is in v1.',
    views: [usual('VintageList', 'from=start&limit=1')],
    isList: true,
    mayConflict: true,
  },
  '/adjustments': {
    operationId: 'listAdjustments',
    tag: 'Many at once',
    description:
      'One row per agreement, in the order of their slugs. Without a choice (or with `latest=true`) it is the period of v1: the newest whose date has come and that has a number; BLOCKED means that none has. `date` gives the period in force on that day, number or not, so `date` = today shows what is blocked now; `period` the one of that label. Drafts, archived agreements and contracts that have not begun have no row, nor those that do not cover the date or have no such period. Before the first adjustment the period is `start`. A walk is pinned to the publications and the day of its first page.',
    views: [usual('AdjustmentList', 'latest=true')],
    isList: true,
    mayMiss: true,
  },
  '/values': {
    operationId: 'listNewestValues',
    tag: 'Many at once',
    description:
      'The newest values of up to 50 series, in the order asked, by id or by what formulas call them. `asOf` and `knownAt` cut as in v1. In CSV there is one row per value.',
    views: [usual('ValuesList', 'series=BLS/WPU101&last=1')],
    isList: true,
    mayMiss: true,
  },
  '/series': {
    operationId: 'findSeries',
    tag: 'Many at once',
    description:
      'The series your workspace sees, by what formulas call them (`code=PROVIDER/code`: none gives an empty list), by a part of their name or code, by frequency, or by what was recorded after an instant. In a stable order, page by page.',
    views: [usual('SeriesList', 'code=BLS/WPU101')],
    isList: true,
  },
}
