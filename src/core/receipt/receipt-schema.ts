// The schema of a receipt: types, the strict reader and the description follow from it. A body is read into its meaning, ready
// to be computed; computing it again shows whether it is right.
import type { Carried } from '../calculation/adjustment.ts'
import type { TakenReading, UsedObservation } from '../calculation/series-reading.ts'
import { controlWords } from '../formula/controls/controls.ts'
import type { PartySide, ResultKind } from '../formula/formula.ts'
import { roundingModes } from '../numbers/ratio.ts'
import { signKinds } from '../parties.ts'
import { versionTags } from '../series/series.ts'
import type { Json } from '../text/canonical-json.ts'
import {
  anyMapping,
  day,
  decimal,
  either,
  exactForm,
  exactNumber,
  exactText,
  hexHash,
  instant,
  listOf,
  literal,
  mapOf,
  mapping,
  meaning,
  oneOf,
  optional,
  orNull,
  refuseShape,
  type Shape,
  text,
  truth,
  versionNumber,
  type Written,
  type WrittenFields,
  wholeNumber,
} from '../text/exact-shape.ts'
import { frequencies, type Period, parsePeriod } from '../time/period.ts'
import { partyObjection } from './objection.ts'
import { partySignature } from './party-signature.ts'
import { labelForm, periodForm } from './period-form.ts'

export const receiptFormat = 'assize-receipt/2'

const label = text('Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3', labelForm)
const reference = text('The series, as `PROVIDER/code`')
const input = text('The input’s name in the formula')
const published = '^[+-]?\\d+(\\.\\d+)?$'
const carriedForm = { pattern: '^-?\\d+(\\.\\d+)?…?$' }

export const versionTag = oneOf(
  versionTags,
  'PRELIMINARY: the provider marks the value so. FINAL: the first value without such a mark. REVISED: a value that changed after that.',
)
export const frequency = oneOf(frequencies, 'How long one period of the series is')

const mode = oneOf(roundingModes, 'How halves and rests are rounded')
export const rounding = either(
  'A rounding',
  [
    mapping('To decimals.', {
      dp: meaning(wholeNumber('How many'), (dp, path) =>
        dp >= -30 && dp <= 30 ? dp : refuseShape(path, 'a whole number from -30 to 30'),
      ),
      mode,
    }),
    mapping('To a multiple.', {
      multiple: meaning(exactNumber('Of what'), (multiple, path) =>
        multiple.n > 0n ? multiple : refuseShape(path, 'more than 0'),
      ),
      mode,
    }),
  ],
  found => (Object.hasOwn(found, 'multiple') ? 1 : 0),
)

const people = (side: string): Shape<PartySide> =>
  orNull(
    {
      read: (value, path) => (Array.isArray(value) ? addresses.read(value, path) : text().read(value, path)),
      schema: { anyOf: [addresses.schema, text().schema], description: 'E-mail addresses, or a party’s slug' },
    },
    `The ${side} as written; null where nobody is named`,
  )
const addresses = listOf(text())

const installation = mapping('An installation.', { id: text('Its id'), name: orNull(text(), 'Its name') })
const workspace = mapping('A workspace.', {
  id: text('Its id'),
  slug: text('In addresses'),
  name: text('Its name'),
})

/** The head of everything that both parties sign: issuer, workspace, agreement and parties. */
export const headFields = {
  edition: versionNumber('The edition of the rules it was computed by'),
  installation: orNull(installation, 'Who issued it; null for what was computed from files alone'),
  workspace: orNull(workspace, 'The workspace; null for what was computed from files alone'),
  pam: text('The slug'),
  name: text('The contract’s name'),
  parties: mapping('Who signs.', {
    buyer: people('buyer'),
    supplier: people('supplier'),
    signWith: optional(
      listOf(oneOf(signKinds, 'A way to sign'), 'The ways in which both may sign, the strictest first; left out: any'),
    ),
  }),
  companies: optional(
    mapOf(
      text('Its name'),
      'What the parties that are named by their slugs are called, by slug; left out where none is',
    ),
  ),
}

/** The origin of a figure: read from its provider by us, or from a file. */
export const origin = either(
  'Where the figure comes from',
  [
    mapping('Read from its provider.', { provider: text('The provider') }),
    mapping(
      'Imported by the workspace. All but `recorded` are null where the import is not known: a repaired clock made one instant of several, or the series is seen no more.',
      {
        uploadedBy: orNull(text(), 'Who brought the file: an e-mail address, or `operator`'),
        file: orNull(text(), 'The name of the file'),
        sha256: orNull(hexHash('Of its bytes'), 'SHA-256 of the file’s bytes'),
        recorded: orNull(instant('When'), 'When it was imported'),
      },
    ),
  ],
  found => (Object.hasOwn(found, 'provider') ? 0 : 1),
)

export const vintageFields = {
  series: reference,
  period: meaning(
    text('The period it describes', periodForm),
    (written, path): Period => parsePeriod(written) ?? refuseShape(path, 'a period'),
  ),
  value: decimal('The digits as published', published),
  version: versionTag,
  flag: orNull(text(), 'The provider’s own mark'),
  published: instant('When it was published'),
  recorded: orNull(instant('When'), 'When it was stored; null where it came from a file'),
}

type ReadVintage = Pick<UsedObservation, 'series' | 'period'> &
  Pick<WrittenFields<typeof vintageFields>, 'value' | 'version' | 'flag' | 'published' | 'recorded'>

function usedOf({ series, period, value, version, flag, published: publishedAt, recorded }: ReadVintage) {
  return { series, period, vintage: { value, tag: version, flag, publishedAt, recordedAt: recorded } }
}

const observationWords = 'An observation used, with its vintage.'
export const observation = meaning(mapping(observationWords, { input, ...vintageFields, origin }), line => ({
  ...usedOf(line),
  input: line.input,
}))

/** The state that one period passes to the next; its readings are written with the origins of the figures, or without any. */
function carriedState(used: Shape<unknown, UsedObservation>): Shape<Json, Carried> {
  const reading: Shape<unknown, TakenReading> = mapping('A reading of an input.', {
    value: exactNumber('Exact'),
    substituted: truth('Whether a missing value was estimated or replaced'),
    used: listOf(used),
  })
  const state = {
    date: orNull(day('The day'), 'Its adjustment date; null at the first period'),
    version: orNull(versionNumber('Number'), 'The formula version that computed it'),
    steps: mapOf(exactNumber('Exact'), 'The carried lines'),
    readings: mapOf(reading, 'The readings, by input'),
  }
  const whole = mapping('What the period continues from.', {
    ...state,
    factor: exactNumber('Price then ÷ price at the start, exact'),
    last: mapping('The same, at the last date on which an adjustment was applied.', state),
    origin: optional(day('The day from which the price counts, where it was renegotiated')),
    factors: optional(
      listOf(
        mapping('A factor and the date it was applied.', { date: day('The date'), factor: exactNumber('Exact') }),
        'Factors of the past year, where a limit of a year needs them',
      ),
    ),
  })
  const { schema, read } = meaning(whole, ({ origin: from = null, factors = [], ...rest }) => ({
    ...rest,
    origin: from,
    factors,
  }))
  return { schema, read }
}

const usedWords = 'An observation in it.'
export const carried = carriedState(meaning(mapping(usedWords, { ...vintageFields, origin }), usedOf))
export const carriedWithoutOrigins = carriedState(meaning(mapping(usedWords, vintageFields), usedOf))

/** A state is written with the origins of its readings, or without any. */
export const carriedEitherWay: Shape<Json, Carried> = {
  schema: carried.schema,
  read: (value, path) =>
    (JSON.stringify(value).includes('"origin":{') ? carried : carriedWithoutOrigins).read(value, path),
}

export const resultFields = {
  period: label,
  adjustmentDate: text('The day it takes effect', { format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  adjustmentPct: orNull(
    text('Percent', { pattern: '^-?\\d+(\\.\\d+)?$' }),
    'Adjustment of this period, percent; null for the one period after a price of 0',
  ),
  cumulativePct: text('Adjustment since the start of the contract, percent', { pattern: '^-?\\d+(\\.\\d+)?$' }),
  formulaVersion: versionNumber('Version of the formula used'),
  dataVersion: text('The weakest of the data used: any PRELIMINARY, else any REVISED, else FINAL', {
    enum: [...versionTags],
  }),
  price: optional(text('The price, where the contract names one', carriedForm)),
  surcharge: optional(text('The amount on top of the contract’s price, where the formula gives one', carriedForm)),
  components: listOf(
    mapping('What one input gave.', {
      input,
      series: reference,
      weight: text('As the formula writes it', { pattern: published }),
      change: decimal('Percent change against the base'),
      contribution: decimal('Percentage points it gave'),
    }),
  ),
  controls: listOf(
    mapping('A control that had an effect.', {
      control: text('Which one', { enum: Object.keys(controlWords) }),
      points: decimal('Percentage points it took or gave'),
    }),
    'With the components they add up to the adjustment',
  ),
}
export const receiptResult = mapping('The result.', {
  ...resultFields,
  factor: text('Price of the period ÷ price at the start, exact', exactForm),
})

const resultKinds: readonly ResultKind[] = ['FACTOR', 'CHANGE_PCT', 'PRICE', 'SURCHARGE']

export const lineFields = {
  name: text('Its name'),
  expr: text('How it is computed'),
  value: exactText('Exact'),
  shown: orNull(text(), 'As the contract prints it'),
}

const formulaDocument = text('A formula document as JSON text, for the order of its inputs is the order of its lines')

/** The number's agreement, date and formulas. The documents are without their descriptions. */
export const placeFields = {
  pam: headFields.pam,
  period: label,
  adjustmentDate: day('The day it takes effect'),
  formulaVersion: versionNumber('Version of the formula used'),
  documents: meaning(mapOf(formulaDocument, 'The formula documents, by version number'), (found, path) => {
    if (![...found.keys()].every(number => /^[1-9][0-9]{0,8}$/.test(number)))
      refuseShape(path, 'a mapping from version numbers')
    return new Map([...found].map(([number, document]) => [Number.parseInt(number, 10), document]))
  }),
  dataVersionAsked: orNull(versionTag, 'With `version`: that tag, else null'),
}

/** The hashed part. Plain JSON throughout, so that it can be stored, sent and compared as text. */
export const receiptBody = mapping('The part that the hash covers: everything needed to compute the number again.', {
  format: literal(receiptFormat, 'The form of this receipt'),
  ...headFields,
  ...placeFields,
  words: optional(
    mapping('The contract’s own words, as the governing version has them; left out where it has none.', {
      sha256: hexHash('SHA-256 of their sentences and links in canonical JSON'),
    }),
  ),
  carriedIn: carried,
  series: listOf(
    meaning(
      mapping('A series the formula reads.', { series: reference, name: text('Its name'), frequency }),
      ({ series, ...header }) => ({ reference: series, ...header }),
    ),
  ),
  observations: listOf(observation),
  rules: mapping('How the lines become the answer.', {
    kind: oneOf(resultKinds, 'What the result is'),
    step: text('The line that is the result'),
    show: rounding,
    priceRound: orNull(rounding, 'How the price is rounded'),
    addsUp: truth('Whether components and controls add up to the adjustment'),
  }),
  steps: listOf(
    mapping('A line of the worksheet.', {
      ...lineFields,
      round: orNull(rounding, 'How what is carried is rounded'),
      show: orNull(rounding, 'How it is printed'),
    }),
  ),
  result: receiptResult,
})

export const seal = mapping('The installation’s signature.', {
  algorithm: literal('Ed25519', 'The kind of signature'),
  publicKey: text('The installation’s key, base64url', { pattern: '^[\\w-]{43}$' }),
  value: text('Over the text of the SHA-256 of the receipt without body and seal, in canonical JSON; base64url', {
    pattern: '^[\\w-]{86}$',
  }),
})

/** A body is read strictly when it is replayed, by the rules of its format. */
const unreadBody: Shape<Written<typeof receiptBody>> = {
  schema: receiptBody.schema,
  read: (value, path) => anyMapping(value, path) as unknown as Written<typeof receiptBody>,
}

export const receipt = mapping('A receipt: recompute it offline with `assize verify`.', {
  hash: hexHash('SHA-256 of the body in canonical JSON'),
  body: unreadBody,
  signatures: listOf(partySignature),
  objections: optional(
    meaning(listOf(partyObjection, 'Left out where nobody objected to a number of this period'), (objections, path) =>
      objections.length > 0 ? objections : refuseShape(path, 'a list with one in it, or left out'),
    ),
  ),
  seal: orNull(seal, 'Shows which installation issued it; its keys are at /.well-known/assize-keys.json'),
})
