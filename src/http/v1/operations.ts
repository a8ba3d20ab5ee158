// Descriptions of the routes beyond the table that serves them: name for generated clients, place on the page, a few sentences, and
// the query of the example.
import { type Operation, usual } from '../api/operation.ts'

export const tags = [
  { name: 'Series', description: 'Published index values, with every vintage they ever had.' },
  {
    name: 'Formulas',
    description: 'Agreements (`pam`: price adjustment model) and the numbers that their formulas give.',
  },
  { name: 'Status', description: 'Whether the service runs.' },
] as const
/** Keys are paths, as routes.ts writes them. */
export const operations: Readonly<Record<string, Operation>> = {
  '/series': {
    operationId: 'listSeries',
    tag: 'Series',
    description:
      'The series your workspace sees: those it follows and those it imported. In a stable order, page by page.',
    views: [usual('SeriesList', 'provider=BLS&limit=2')],
  },
  '/series/{seriesId}/values': {
    operationId: 'listValues',
    tag: 'Series',
    description:
      'One row per period, ascending: the newest vintage inside the cuts. `from` and `to` compare with the first day of the period, inclusive. `total` counts all that match; when there are more than `limit`, the `Link` header leads to the next page. With `view=summary` each row is short: the period in its own notation, value, version and the day at which the value stood.',
    views: [
      usual('Values', 'from=2024-03-01&to=2024-06-30'),
      { view: 'summary', answer: 'SummaryValues', query: 'from=2024-03-01&to=2024-03-31&asOf=2024-04-30&view=summary' },
    ],
  },
  '/series/{seriesId}/vintages': {
    operationId: 'listVintages',
    tag: 'Series',
    description:
      'Every value each period ever had, in the order of publication, with both clocks and the provider’s own mark. `limit` counts periods. A withdrawal shows value and tag null.',
    views: [usual('Vintages', 'from=2024-03-01&to=2024-03-31')],
  },
  '/pams': {
    operationId: 'listPams',
    tag: 'Formulas',
    description: 'The agreements of your workspace, page by page.',
    views: [usual('PamList')],
  },
  '/pams/{pamId}': {
    operationId: 'getPam',
    tag: 'Formulas',
    description: 'One agreement with the calendar of its contract.',
    views: [usual('Pam')],
  },
  '/pams/{pamId}/values': {
    operationId: 'listPamValues',
    tag: 'Formulas',
    description:
      'Every adjustment computed so far whose date lies in the range, ascending, all at once. Signed periods give their signed numbers. A period that cannot be computed yet has no entry.',
    views: [usual('PamValues')],
  },
  '/pams/{pamId}/adjustment': {
    operationId: 'getAdjustment',
    tag: 'Formulas',
    description:
      'The number of one period with its breakdown and sign-off. Name the `period`, or a `date` for the one in force on that day; without either it is the newest whose date has come and whose data is there. A period signed by both parties gives the signed number; `asOf` and `version` compute from data alone. With `version`, every reading of the period must carry that tag, else 404 says which does not. `view=calculation` answers with the new price, every line of the worksheet, every observation and the controls that had an effect: a body with `adjustments`, which the usual one has not. Clients with types ask `getCalculation` for it.',
    views: [
      usual('Adjustment', 'period=2024-Q2'),
      { view: 'calculation', answer: 'Calculation', query: 'period=2024-Q2&view=calculation' },
    ],
  },
  '/pams/{pamId}/adjustment/calculation': {
    operationId: 'getCalculation',
    tag: 'Formulas',
    description:
      'The answer of the adjustment with `view=calculation` under an address of its own, so that generated clients have one type for it: the price with its currency and unit, every line of the worksheet, every observation with its series, the controls that had an effect and who has signed. Takes the parameters of the adjustment.',
    views: [usual('Calculation', 'period=2024-Q2')],
  },
  '/pams/{pamId}/adjustment/receipt': {
    operationId: 'getReceipt',
    tag: 'Formulas',
    description:
      'Everything needed to compute the adjustment again offline, with a hash and a signature. Takes the parameters of the adjustment. Check it with `assize verify`.',
    views: [usual('Receipt', 'period=2024-Q2')],
  },
}

export const health: Operation & { readonly path: string; readonly summary: string } = {
  path: '/health',
  summary: 'Whether the service runs',
  operationId: 'getHealth',
  tag: 'Status',
  description: 'For connectivity checks and load balancers. Needs no key and does not count against a limit.',
  views: [usual('Health')],
}

/** Identifiers in paths: description and example. */
export const pathParameters: Readonly<Record<string, { readonly description: string; readonly example: string }>> = {
  seriesId: { description: 'Identifier of the series', example: 'ser_01hmdbz3r8e5cvq9t2k7m4x6wn' },
  pamId: { description: 'Identifier or slug of the agreement', example: 'steel-brackets' },
}
