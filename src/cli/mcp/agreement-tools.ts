// Tools about agreements: finding one, its number in a period, the reasons for it, and the number by another reading.
import { Type } from '../../formats/json-schema.ts'
import { ToolError } from './ask.ts'
import {
  agreementInput,
  agreementPath,
  bounds,
  bytesOf,
  cursorInput,
  fitting,
  formatPlace,
  knownAtInput,
  listRows,
  nullable,
  optional,
  pick,
  readPlace,
  roomForRows,
  row,
  text,
  tool,
} from './tool.ts'

const confirmed = row({
  buyer: nullable('The day the buyer signed exactly this number'),
  supplier: nullable('The day the supplier signed it'),
})
const numberFields = {
  slug: Type.String({ description: 'The agreement, for other tools' }),
  name: Type.String({ description: 'As its parties call it' }),
  period: Type.String({ description: 'start before the first adjustment' }),
  adjustmentDate: Type.String(),
  adjustmentPct: nullable('Percent in this period'),
  cumulativePct: nullable('Percent since the start of the contract'),
  price: nullable('The settled price where status is AGREED; otherwise a proposal'),
  currency: nullable('Of the price'),
  per: nullable('How many of the unit the price is for'),
  unit: nullable('Of the price'),
  status: Type.String({ description: 'AGREED: signed by both. BLOCKED: there is no number, and reason says why' }),
  nextDate: nullable('The next adjustment date'),
  reason: nullable('Why there is no number'),
}
const agreementRow = row(numberFields)
const adjustmentRow = row({
  ...numberFields,
  factor: nullable('Price divided by the price at the start'),
  dataVersion: nullable('The weakest tag among the figures used'),
  formulaVersion: Type.Integer(),
  confirmed,
})

const findAgreements = tool({
  name: 'find_agreements',
  title: 'Find agreements',
  description:
    'Agreements on index-linked prices in this workspace, each with its newest number, by slug. Drafts, archived agreements and contracts that have not begun are not among them.',
  input: {
    text: optional(text('Part of the name or slug, in any case')),
    status: optional(
      Type.Enum(['SIGNED', 'OPEN', 'BLOCKED'], {
        description: 'Only those whose number both have signed, or that wait for a signature, or that have none',
      }),
    ),
    cursor: cursorInput,
  },
  output: Type.Array(agreementRow),
  run: ({ text: wanted, status, cursor }, call) =>
    listRows(call, '/ext/v1/adjustments', {
      query: { status },
      cursor,
      shape: agreementRow,
      ...(wanted === undefined ? {} : { pageRows: 200, isWanted: each => isNamed(each, wanted.toLowerCase()) }),
    }),
})

function isNamed(each: object, wanted: string): boolean {
  const { slug, name } = each as { readonly slug: string; readonly name: string }
  return slug.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted)
}

const which = {
  agreement: agreementInput,
  period: optional(text('The label of a period: 2024-Q2, 2024-03. Without period and date, the newest with a number')),
  date: optional(text('A day, YYYY-MM-DD: the period in force on it')),
}

const adjustment = tool({
  name: 'adjustment',
  title: 'The number of an agreement',
  description:
    'The adjustment of one agreement in one period: percent, factor and price, and who has signed it. Only a number with status AGREED is the price; any other is proposed.',
  input: { ...which, knownAt: knownAtInput },
  output: adjustmentRow,
  async run({ agreement, period, date, knownAt }, call) {
    if (agreement.includes(',')) throw new ToolError('Name one agreement.')
    const query = { ids: agreement, period, date, knownAt }
    const { data } = await call.read<{ readonly data: readonly object[] }>('/ext/v1/adjustments', query)
    if (data[0] === undefined)
      throw new ToolError('This agreement has no such period, or is a draft, archived, or has not begun.')
    return { data: pick(adjustmentRow, data[0]), cursor: null }
  },
})

const component = row({
  input: Type.String({ description: 'Its name in the formula' }),
  series: Type.String(),
  weight: Type.String(),
  change: Type.String({ description: 'Percent against the base' }),
  contribution: Type.String({ description: 'Percentage points it gave' }),
})
const observation = row({
  input: Type.String({ description: 'Its name in the formula' }),
  series: Type.String(),
  period: Type.String(),
  value: Type.String({ description: 'The digits as published' }),
  version: Type.String(),
  published: Type.String(),
})
const step = row({
  name: Type.String({ description: 'A line of the worksheet' }),
  value: Type.String(),
  shown: optional(Type.String({ description: 'As the contract prints it' })),
})
const calculation = row({
  period: Type.String(),
  adjustmentDate: Type.String(),
  adjustmentPct: nullable('Percent in this period'),
  cumulativePct: Type.String(),
  price: optional(nullable('In this calculation; a later correction is not in it')),
  currency: optional(Type.String()),
  dataVersion: Type.String(),
  formulaVersion: Type.Integer(),
  confirmed,
})

const why = tool({
  name: 'why',
  title: 'Why it is that number',
  description:
    'The whole calculation of one period: what each index contributed, every figure that was read with its date of publication, and every line of the worksheet in order.',
  input: {
    ...which,
    publishedBy: optional(text('Computed from what had been published by this day, YYYY-MM-DD')),
    knownAt: knownAtInput,
    cursor: cursorInput,
  },
  output: row({
    calculation,
    components: Type.Array(component),
    observations: Type.Array(observation),
    steps: Type.Array(step),
  }),
  async run({ agreement, period, date, publishedBy, knownAt, cursor }, call) {
    const query = { period, date, asOf: publishedBy, knownAt, view: 'calculation' }
    const { text: body, tag } = await call.ask(`/v1${agreementPath(agreement, '/adjustment')}`, { query })
    const [entry] = (JSON.parse(body) as Calculated).adjustments
    const lines = [
      ...entry.components.map(each => ({ components: pick(component, each) })),
      ...entry.observations.map(each => ({ observations: pick(observation, each) })),
      ...entry.steps.map(each => ({ steps: pick(step, each) })),
    ]
    const head = pick(calculation, entry)
    const from = readPlace(cursor, tag ?? '')
    const left = lines.slice(from)
    const shown = left.slice(0, fitting(left, roomForRows - bytesOf(head)))
    const of = <K extends string>(kind: K) =>
      shown.flatMap(line => (kind in line ? [(line as unknown as Record<K, object>)[kind]] : []))
    return {
      data: {
        calculation: head,
        components: of('components'),
        observations: of('observations'),
        steps: of('steps'),
      } as never,
      cursor: shown.length < left.length ? formatPlace(from + shown.length, tag ?? '') : null,
    }
  },
})

interface Calculated {
  readonly adjustments: readonly [
    {
      readonly components: readonly object[]
      readonly observations: readonly object[]
      readonly steps: readonly object[]
    },
  ]
}

const readingRow = row({
  id: Type.String(),
  title: Type.String(),
  words: Type.String({ description: 'What is read differently' }),
  notApplicable: nullable('Why this contract cannot be read so; then there are no numbers'),
  period: nullable('The period that is compared'),
  adjustmentPct: nullable('Percent in this period'),
  cumulativePct: nullable('Percent since the start'),
  price: nullable('The price by this reading'),
  points: nullable('Cumulative percentage points beside the contract as written'),
  money: nullable('Price beside the contract as written'),
})

const compareReadings = tool({
  name: 'compare_readings',
  title: 'Other readings of the contract',
  description:
    'The same contract read differently in one respect at a time (base, lag, preliminary or final figures, the order of cap and rounding …), and what each reading gives in one period. It explains a disagreement; none of it is a price that anybody signed.',
  input: { agreement: agreementInput, period: which.period },
  output: row({ currency: nullable('Of prices'), readings: Type.Array(readingRow) }),
  async run({ agreement, period }, call) {
    const path = `/ext/v1${agreementPath(agreement, '/readings')}`
    const { currency, data } = await call.read<{ readonly currency: string | null; readonly data: object[] }>(path, {
      period,
    })
    return {
      data: { currency, readings: data.slice(0, bounds.rows).map(each => pick(readingRow, each)) },
      cursor: null,
    }
  },
})

export const agreementTools = [findAgreements, adjustment, why, compareReadings]
