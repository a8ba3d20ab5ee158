// The keys of a formula document outside inputs and clause, as data: the document itself, the contract, the parties,
// params, tables, steps and the result.
import { parties, signKinds } from '../../parties.ts'
import type { Contract, Status } from '../formula.ts'
import { choiceKey, choicesIn, type KeySpec, number } from './keys.ts'

export const statusKey = choiceKey<Status>(
  'status',
  'Status',
  'Whether the agreement is in force; only an ACTIVE agreement can be signed.',
  {
    DRAFT: 'not in force yet',
    ACTIVE: 'in force',
    SUSPENDED: 'paused',
    EXPIRED: 'run out',
    ARCHIVED: 'archived',
  },
  'DRAFT',
)

export const documentKeys: readonly KeySpec[] = [
  {
    path: 'slug',
    label: 'Slug',
    help: 'The address of the agreement: lower-case letters, digits and single hyphens. It stays forever.',
    value: { kind: 'text' },
    required: true,
  },
  { path: 'name', label: 'Name', help: 'The name that people use.', value: { kind: 'text' } },
  { path: 'description', label: 'Description', help: 'The purpose of the agreement.', value: { kind: 'text' } },
  statusKey,
  {
    path: 'contract',
    label: 'Contract',
    help: 'The calendar and the price of the contract.',
    value: { kind: 'mapping' },
    required: true,
  },
  {
    path: 'effectiveFrom',
    label: 'Governs from',
    help: 'The day from which adjustment dates follow this version; if left out, the contract’s start.',
    value: { kind: 'day' },
  },
  { path: 'parties', label: 'Parties', help: 'Who signs for each side.', value: { kind: 'mapping' } },
  {
    path: 'inputs',
    label: 'Inputs',
    help: 'The series that the formula reads, each under a name.',
    value: { kind: 'names' },
  },
  { path: 'params', label: 'Params', help: 'Named numbers, plain or with dates.', value: { kind: 'names' } },
  { path: 'tables', label: 'Tables', help: 'Stepwise look-ups, each under a name.', value: { kind: 'names' } },
  {
    path: 'clause',
    label: 'Clause',
    help: 'Weights, threshold, sharing, limits and rounding.',
    value: { kind: 'mapping' },
  },
  { path: 'steps', label: 'Steps', help: 'The worksheet, line by line.', value: { kind: 'list' } },
  {
    path: 'result',
    label: 'Result',
    help: 'The step that gives the answer, and how it is shown.',
    value: { kind: 'mapping' },
  },
  {
    path: 'corrections',
    label: 'Corrections',
    help: 'The rule for settled prices whose figures are revised later.',
    value: { kind: 'mapping' },
  },
]

export const priceDateKey = choiceKey(
  'contract.priceDate',
  'Invoices are priced by',
  'The day of an invoice line that decides its price. It changes no adjustment.',
  { SERVICE: 'the day of service', INVOICE: 'the date of the invoice', ORDER: 'the date of the order' },
  'SERVICE',
)
export const prorateKey = choiceKey(
  'contract.prorate',
  'Lines across an adjustment date',
  'Whether a line whose days cross an adjustment date is shared out by days. It changes no adjustment.',
  { NONE: 'are not shared out', DAYS: 'are shared out by days' },
  'NONE',
)

export const changeKey = choiceKey<Contract['change']>(
  'contract.change',
  'Terms are changed by',
  'Who may change the terms once the agreement is signed. It changes no adjustment, and is a term itself.',
  { ONE: 'one side; the page says so', BOTH: 'both sides together' },
  'ONE',
)

/** The frequencies that have a name; any number of weeks or months is one as well. */
export const frequencyWords = {
  DAILY: 'every day',
  WEEKLY: 'every week',
  MONTHLY: 'every month',
  QUARTERLY: 'every quarter',
  SEMIANNUAL: 'every half-year',
  ANNUAL: 'every year',
  ONCE: 'once, on the first adjustment',
} as const
export type NamedFrequency = keyof typeof frequencyWords

export const contractKeys: readonly KeySpec[] = [
  { path: 'contract.start', label: 'Start', help: 'The first day.', value: { kind: 'day' }, required: true },
  { path: 'contract.end', label: 'End', help: 'The last day; left out, the contract is open.', value: { kind: 'day' } },
  {
    path: 'contract.frequency',
    label: 'Adjusted',
    help: 'How often the price is adjusted: DAILY, WEEKLY, MONTHLY, QUARTERLY, SEMIANNUAL, ANNUAL, ONCE, “4 months”, “2 weeks”.',
    value: {
      kind: 'text',
      offers: choicesIn({ ...frequencyWords, '4 months': 'every four months', '2 weeks': 'every two weeks' }),
    },
  },
  {
    path: 'contract.dates',
    label: 'Adjustment dates',
    help: 'The adjustment dates themselves, in place of a frequency.',
    value: { kind: 'days' },
  },
  {
    path: 'contract.firstAdjustment',
    label: 'First adjustment',
    help: 'The first adjustment date; one period after the start where it is left out.',
    value: { kind: 'day' },
  },
  { path: 'contract.price', label: 'Price', help: 'The price at the start.', value: { kind: 'mapping' } },
  {
    path: 'contract.price.amount',
    label: 'Amount',
    help: 'The price at the start.',
    value: number('money'),
    required: true,
  },
  {
    path: 'contract.price.currency',
    label: 'Currency',
    help: 'Three capital letters, such as EUR.',
    value: { kind: 'text' },
    required: true,
  },
  { path: 'contract.price.unit', label: 'Per', help: 'Piece, tonne, month and so on.', value: { kind: 'text' } },
  {
    path: 'contract.price.round',
    label: 'Prices are rounded',
    help: 'How prices are rounded where the clause says nothing.',
    value: { kind: 'rounding' },
    otherwise: 'NONE',
  },
  {
    path: 'contract.restart',
    label: 'The price was renegotiated',
    help: 'The price counts from effectiveFrom: the factor begins at 1 again, and nothing is carried from before.',
    value: { kind: 'truth' },
    otherwise: 'false',
  },
  {
    path: 'contract.references',
    label: 'Named on invoices as',
    help: 'Texts by which invoices name the contract. They change no adjustment.',
    value: { kind: 'texts' },
  },
  priceDateKey,
  prorateKey,
  changeKey,
]

export const partyKeys: readonly KeySpec[] = [
  ...parties.map(
    (side): KeySpec => ({
      path: `parties.${side}`,
      label: side === 'buyer' ? 'Buyer' : 'Supplier',
      help: 'E-mail addresses, or the slug of a party: then all its people.',
      value: { kind: 'texts' },
    }),
  ),
  {
    path: 'parties.signWith',
    label: 'Signed with',
    help: `The ways in which both sides may sign, a list of ${signKinds.join(', ')}. Left out: any.`,
    value: { kind: 'texts' },
  },
]

export const paramKeys: readonly KeySpec[] = [
  {
    path: 'params.*',
    label: 'Param',
    help: 'A number, or a list of numbers that count from a day on.',
    value: number('plain'),
  },
  {
    path: 'params.*.*.from',
    label: 'From',
    help: 'The day from which on the value counts.',
    value: { kind: 'day' },
    required: true,
  },
  {
    path: 'params.*.*.value',
    label: 'Value',
    help: 'The number from that day on.',
    value: number('plain'),
    required: true,
  },
]

export const tableKeys: readonly KeySpec[] = [
  { path: 'tables.*.*.below', label: 'Below', help: 'Up to here, without the edge.', value: number('plain') },
  { path: 'tables.*.*.atMost', label: 'At most', help: 'Up to here, with the edge.', value: number('plain') },
  {
    path: 'tables.*.*.value',
    label: 'Value',
    help: 'The value that the row gives.',
    value: number('plain'),
    required: true,
  },
]

export const stepKeys: readonly KeySpec[] = [
  {
    path: 'steps.*.name',
    label: 'Name',
    help: 'The name that later steps use.',
    value: { kind: 'text' },
    required: true,
  },
  {
    path: 'steps.*.expr',
    label: 'Expression',
    help: 'The computation of the step.',
    value: { kind: 'text' },
    required: true,
  },
  {
    path: 'steps.*.round',
    label: 'Rounded',
    help: 'The value is carried on rounded.',
    value: { kind: 'rounding' },
    otherwise: 'NONE',
  },
  {
    path: 'steps.*.show',
    label: 'Shown',
    help: 'The value is printed rounded and carried on exactly.',
    value: { kind: 'rounding' },
    otherwise: 'NONE',
  },
  { path: 'steps.*.note', label: 'Note', help: 'Words beside the line.', value: { kind: 'text' } },
]

export const resultKindKey = choiceKey(
  'result.kind',
  'What the step is',
  'say whether the step is a FACTOR, a CHANGE_PCT, a PRICE or a SURCHARGE',
  {
    FACTOR: 'the period’s price ÷ price at the start',
    CHANGE_PCT: 'this period’s change in percent',
    PRICE: 'the period’s price',
    SURCHARGE: 'an amount on top of the contract’s price',
  },
  'FACTOR',
)

export const resultKeys: readonly KeySpec[] = [
  resultKindKey,
  { path: 'result.step', label: 'Step', help: 'The step that is the answer.', value: { kind: 'text' } },
  {
    path: 'result.show',
    label: 'Percentages are shown',
    help: 'How the percentages of an adjustment are reported; 4 decimals where it is left out.',
    value: { kind: 'rounding' },
  },
]

export const correctionKeys = {
  when: choiceKey(
    'corrections.when',
    'Corrected',
    'say when a settled price is corrected: never (NONE), once all figures are final (FINAL), at each revision (EACH), once a year (YEARLY) or at the end (END)',
    {
      NONE: 'never',
      FINAL: 'once all figures are final',
      EACH: 'at each revision',
      YEARLY: 'once a year',
      END: 'at the end of the contract',
    },
  ),
  below: choiceKey(
    'corrections.min.below',
    'Smaller corrections',
    'say what becomes of a smaller correction: it counts again next time (KEEP) or is waived (WAIVE)',
    { KEEP: 'count again next time', WAIVE: 'are waived' },
  ),
  of: choiceKey(
    'corrections.within.of',
    'Counted from',
    'say from what the months are counted: the PERIOD, the PUBLICATION of the figure or the INVOICE',
    { PERIOD: 'the period', PUBLICATION: 'the publication of the figure', INVOICE: 'the invoice' },
  ),
  level: choiceKey(
    'corrections.level',
    'Later periods',
    'Whether later periods stay as they were signed, or are corrected as well.',
    { HEAL: 'stay as they were signed', REBASE: 'are corrected as well' },
    'HEAL',
  ),
} as const

export const settleWords = { NOTE: 'a note of its own', NEXT_INVOICE: 'the next invoice' } as const

export const correctionsKeys: readonly KeySpec[] = [
  correctionKeys.when,
  {
    path: 'corrections.day',
    label: 'On',
    help: 'Month and day of a yearly correction, such as 03-31.',
    value: { kind: 'text' },
  },
  { path: 'corrections.min', label: 'At least', help: 'The smallest correction.', value: { kind: 'mapping' } },
  {
    path: 'corrections.min.amount',
    label: 'Amount',
    help: 'The smallest correction, in the contract’s currency.',
    value: number('money'),
    required: true,
  },
  correctionKeys.below,
  { path: 'corrections.within', label: 'Within', help: 'Older differences lapse.', value: { kind: 'mapping' } },
  {
    path: 'corrections.within.months',
    label: 'Months',
    help: 'The months after which a difference lapses.',
    value: { kind: 'whole', least: 1, most: 1200 },
    required: true,
  },
  correctionKeys.of,
  correctionKeys.level,
  {
    path: 'corrections.settle',
    label: 'Paid by',
    help: 'NOTE, NEXT_INVOICE, or { spread: 3 } over the next periods.',
    value: {
      kind: 'text',
      offers: choicesIn({ ...settleWords, '{ spread: 3 }': 'with the next adjustments, in equal parts' }),
    },
    otherwise: 'NOTE',
  },
  {
    path: 'corrections.settle.spread',
    label: 'Spread over',
    help: 'The number of adjustment dates.',
    value: { kind: 'whole', least: 1, most: 24 },
  },
]
