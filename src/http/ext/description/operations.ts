// Descriptions of the routes of /ext/v1 beyond the table that serves them.
import { limits } from '../../../limits.ts'
import { type Operation, usual } from '../../api/operation.ts'
import { pathParameters as v1PathParameters } from '../../v1/operations.ts'
import { correctionOperations, correctionPathParameters, correctionTags } from './correction-operations.ts'
import { csvExample, examples, xmlExample } from './examples.ts'
import { spliceOperations, splicePathParameters, spliceTags } from './splice-operations.ts'

export const tags = [
  { name: 'Many at once', description: 'Numbers, values and series of many agreements in one answer.' },
  { name: 'Prices', description: 'The price of every item in every period, by the rules of the contract.' },
  { name: 'Invoices', description: 'Kept invoice lines, and the check of lines. For keys that read `money`.' },
  ...correctionTags,
  ...spliceTags,
  { name: 'What is new', description: 'Feeds of changes and vintages, with a cursor that never expires.' },
  {
    name: 'Calendar',
    description: 'When the providers of your series publish what, what is due, and what it waits for.',
  },
  { name: 'Index changes', description: 'Indices that end, move to another base or are replaced.' },
  { name: 'True-up', description: 'What revisions did to settled prices, and the ledger of each agreement.' },
] as const

export const pathParameters = {
  seriesId: v1PathParameters.seriesId!,
  pamId: { description: 'The id of an agreement, or its slug', example: 'steel-brackets' },
  supplierKey: { description: 'Whose invoice numbers these are, as kept lines have it', example: 'ohio-metals' },
  number: { description: 'The number of the invoice', example: '4711' },
  ...correctionPathParameters,
  ...splicePathParameters,
} as const

/** Keys are paths, as routes.ts writes them. */
export const operations: Readonly<Record<string, Operation>> = {
  '/changes': {
    operationId: 'listChanges',
    tag: 'What is new',
    description:
      'Everything that can move a number or a term, in order, each thing once. Without a cursor it begins now; `from=start` begins at the beginning; `nextCursor` is always there and never expires. With `wait` the answer is held until something comes or the seconds are over; it counts as one request. At most 2 answers are held for a key; one more is answered at once. After a restore from an older backup the answer is 409: walk everything again. A public series appears from the moment it is followed. In one sequence of publications the order is theirs; those of the public series are placed by their instants.',
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
  '/prices': {
    operationId: 'listPrices',
    tag: 'Prices',
    description:
      'The prices of all agreements but drafts and archived ones, by agreement, item and step: those of today unless `date`, `period` or `from` and `to` say otherwise. `ids` narrows to some agreements, `changedSince` to those whose prices something may have changed since. Agreements without a price are left out; `/left-out` says which and why. A page may be short while `hasMore` is true. A walk is pinned to the publications and the day of its first page. Keys that items have in other systems are fields `erp_…`. With `format` of SAP, Dynamics 365 or Business Central the answer is one whole file of agreed prices; `Assize-Left-Out` counts the agreements of which something is not in it, and `Link` with rel="related" lists them.',
    views: [usual('PriceList', 'date=2024-05-17')],
    isList: true,
    mayMiss: true,
    mayConflict: true,
    files: { 'application/xml': 'A COND_A04 with `format=sap-idoc`' },
    headers: ['Assize-Left-Out', 'Assize-Missing'],
  },
  '/left-out': {
    operationId: 'listLeftOut',
    tag: 'Prices',
    description:
      'What `/prices` leaves out with the same parameters, by agreement: a period without a number or a list (BLOCKED), what does not fit the file named by `for` (UNFIT), and prices that are not signed by those who must (NOT_AGREED). Contracts that do not cover the day lack nothing.',
    views: [usual('LeftOutList', 'date=2024-05-17&for=sap-csv')],
    isList: true,
    mayMiss: true,
    mayConflict: true,
  },
  '/pams/{pamId}/prices': {
    operationId: 'listPricesOfPam',
    tag: 'Prices',
    description:
      'The prices of one agreement by item, step and validity: of every period whose date has come, unless `period` (`start` is one), `date`, or `from` and `to` narrow it down to those whose validity touches the range. A period, date or item that gives nothing is 404 with the reason. The rows are those of price files. A walk is pinned as for `/prices`.',
    views: [usual('PriceList', 'period=2024-Q2&item=BR-100')],
    isList: true,
    mayMiss: true,
  },
  '/pams/{pamId}/readings': {
    operationId: 'compareReadings',
    tag: 'Prices',
    description:
      'The newest document of an agreement as it is written, and read differently in one respect at a time: what each reading gives in `period`, or in the newest one that the document gives a number for. Every reading goes by the figures known now and by nothing that was signed, so none of the numbers is a price. 404 where the period has no number as written.',
    views: [usual('ReadingList', 'period=2024-Q2')],
    mayMiss: true,
  },
  '/invoices': {
    operationId: 'listInvoiceLines',
    tag: 'Invoices',
    description:
      'The kept lines of invoices, by date, supplier, invoice and line; lines without a date come last, and a filter by date leaves them out. Lines that undo others stand beside them and name them. `period` is that of the calendar at the pin of the walk.',
    views: [usual('InvoiceLineList', 'pam=steel-brackets&from=2024-05-01&to=2024-05-31')],
    isList: true,
    mayMiss: true,
  },
  '/invoices/{supplierKey}/{number}': {
    operationId: 'listLinesOfInvoice',
    tag: 'Invoices',
    description:
      'The kept lines of one invoice, page by page, as `/invoices` has them; 404 where none are kept. `/changes` names an invoice `supplierKey/number`.',
    views: [usual('InvoiceLineList')],
    isList: true,
    mayMiss: true,
  },
  '/check': {
    operationId: 'checkInvoiceLines',
    tag: 'Invoices',
    description: `Checks invoice lines against the settled prices: outcome, difference and reason of each, in their order. **It stores nothing.** Asked with QUERY or POST; the body is JSON, CSV with a header (columns are the fields with underscores), or an electronic invoice (UBL 2.1 or CII), by its \`Content-Type\`: at most ${limits.ext.checkLines} lines and ${limits.ext.checkBytes / 1024 / 1024} MB, more is 413, another type 415. What breaks the form is one 400 that names each place by JSON pointer, or line and column; what is wrong in a cell makes that line UNKNOWN. CSV answers have no summary.`,
    views: [usual('CheckAnswer')],
    isList: true,
    mayMiss: true,
    body: {
      'application/json': { schema: 'LinesToCheck', example: examples.LinesToCheck },
      'text/csv': { schema: null, example: csvExample },
      'application/xml': { schema: null, example: xmlExample },
      'text/xml': { schema: null, example: xmlExample },
    },
  },
  '/series': {
    operationId: 'findSeries',
    tag: 'Many at once',
    description:
      'The series your workspace sees, by what formulas call them (`code=PROVIDER/code`: none gives an empty list), by a part of their name or code, by frequency, or by what was recorded after an instant. In a stable order, page by page.',
    views: [usual('SeriesList', 'code=BLS/WPU101')],
    isList: true,
  },
  ...correctionOperations,
  ...spliceOperations,
  '/releases': {
    operationId: 'listReleases',
    tag: 'Calendar',
    description: `What the providers of your series have announced to publish between two days, by date: the official dates of their release calendars, as far as a program can read those. Without \`from\` it begins today; without \`to\` it ends ${limits.ext.releaseDaysUsual} days later. With \`knownAt\` as it had been announced then. Which of your series come with a release, and which agreements read them, is as it is now.`,
    views: [usual('ReleaseList', 'from=2024-08-01&to=2024-08-31&provider=BLS')],
    isList: true,
    mayMiss: true,
  },
  '/due': {
    operationId: 'listDue',
    tag: 'Calendar',
    description:
      'Every adjustment date of agreements in force that is not signed by both, up to `within` from today (30 days unless given), and signed ones that wait for final figures; the nearest date first. READY: it can be proposed now. SCHEDULED: its date has not come. WAITING: a figure is missing. LATE: a figure should have come. AT_RISK: a figure is expected after the date. FINAL_PENDING: signed on preliminary figures. BLOCKED: a release was cancelled, a series has ended, or the formula gives no number. `waitsFor` is the latest of the expected dates. A walk is pinned to the instant of its first page.',
    views: [usual('DueList', 'within=90d')],
    isList: true,
  },
  '/series/{seriesId}/next': {
    operationId: 'listNextDates',
    tag: 'Calendar',
    description: `When the figures of the next ${limits.ext.nextPeriods} periods without a value are expected: by the release calendar of the provider; else learned from the first publications of the newest 36 periods; else by the usual delay of the provider; else no date can be said. \`basis\` says which, \`hitRate\` how often the same rule was right. A release that was cancelled or postponed has a \`status\` and no date. With \`knownAt\` as it was known then.`,
    views: [usual('NextDates', '')],
    isList: true,
    mayMiss: true,
  },
  '/index-events': {
    operationId: 'listIndexEvents',
    tag: 'Index changes',
    description:
      'What is known about indices as such, the newest day first: that one has ended, was put on another base, replaced, cancelled for a period, or is computed differently. Public facts, recorded from the program’s own list and by the operator; a correction is a newer version of the same id, and with `knownAt` the version of that time is answered. Which of your series an event is about, and which agreements read them, is as it is now. A published coefficient stands in the digits and the direction in which it was printed.',
    views: [usual('IndexEventList', 'provider=EUROSTAT')],
    isList: true,
    mayMiss: true,
  },
  '/radar': {
    operationId: 'listRadar',
    tag: 'True-up',
    description:
      'What publications after `since` and up to `until` did: one row for each agreement and period that moved, with the figure behind it (several: `causes`), the points, the price before and after, the amount where invoice lines or quantities are kept, and what the contract says about it. Before and after differ in the figures alone: signatures, lines and corrections are those of `until`. Sorted by absolute amount, then points. Without `since` it looks back 30 days. `amount` is null for a key without the scope `money`. A walk is pinned to the time of its first page.',
    views: [usual('RadarList', 'since=2024-08-01&until=2024-08-31')],
    isList: true,
    mayMiss: true,
    mayConflict: true,
  },
  '/pams/{pamId}/ledger': {
    operationId: 'readTrueUpLedger',
    tag: 'True-up',
    description:
      'Postings whose legs sum to 0, the balances they come to (entitled + provisional = billed + billingDifferences + agreed + waived), and what is open by revision. With `knownAt` as it stood then.',
    views: [usual('TrueUpLedger', 'knownAt=2024-08-31')],
    mayMiss: true,
  },
}
