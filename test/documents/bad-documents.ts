// Bad documents and every problem each of them has: its path, and words its message must contain. Text as a whole,
// contract, parties and inputs; clauses, steps and expressions are in bad-formulas.ts.
import { clauseText, contractText, inputText, many, stepsText } from '../support/agreements/document-text.ts'

export type ExpectedProblem = readonly [path: string, words: string]

export interface BadDocument {
  readonly name: string
  readonly text: string
  readonly problems: readonly ExpectedProblem[]
}

function bad(name: string, text: string, ...problems: ExpectedProblem[]): BadDocument {
  return { name, text, problems }
}

const nothingSaid: ExpectedProblem = ['', 'a clause or steps are needed']

export const badTexts: readonly BadDocument[] = [
  bad('nothing at all', '', ['', 'empty']),
  bad('blanks and line ends', ' \n\n   \n', ['', 'empty']),
  bad('a comment only', '# nothing here\n', ['', 'empty']),
  bad('null', 'null', ['', 'mapping']),
  bad('one word', 'hello', ['', 'got "hello"']),
  bad('a number', '42', ['', 'got "42"']),
  bad('a list', '- slug\n- contract\n', ['', 'got a list']),
  bad('a long sentence', 'words '.repeat(50), ['', '…']),
  bad('a bracket that is never closed', 'slug: [a\n', ['', 'line']),
  bad('a quote that is never closed', 'slug: "a\ncontract: {}\n', ['', 'line']),
  bad('tabs for indentation', 'contract:\n\tstart: 2024-01-01\n', ['', 'line 2']),
  bad('a key written twice', 'slug: a\nslug: b\n', ['', 'line 2']),
  bad('an inner key written twice', clauseText({ clause: '{ fixed: 0, fixed: 0 }' }), ['', 'line 4']),
  bad('two documents', 'slug: a\n---\nslug: b\n', ['', 'more than one document']),
  bad('two values without a separator', '{ slug: a } { slug: b }', ['', 'line 1']),
  bad('an alias', 'slug: &s good\nname: *s\n', ['name', 'anchors and aliases']),
  bad('an alias to nothing', 'slug: *nobody\n', ['slug', 'anchors and aliases']),
  bad('a custom tag', 'slug: !formula good\n', ['slug', 'tag']),
  bad('a list as a key', '? [a, b]\n: c\n', ['', 'a key must be']),
  bad('lists nested seventeen deep', `slug: ${'['.repeat(17)}${']'.repeat(17)}\n`, [
    `slug${'[0]'.repeat(16)}`,
    'nested more than 16',
  ]),
  bad('a hundred thousand opening brackets', '['.repeat(100_000), ['', 'nested']),
  bad('fifty thousand nested mappings', '{a: '.repeat(50_000), ['', 'nested']),
  bad('twenty thousand nested list items', '- '.repeat(20_000), ['', 'nested']),
  bad('more text than is read', `slug: ${'a'.repeat(262_144)}\n`, ['', '262144']),
  bad('control characters', '\u0000\u0001\u0002\u0003', ['', 'got']),
  bad('bytes of a picture', '\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR', ['', '']),
  bad('half a surrogate pair', '\ud83d', ['', 'got']),
  bad('JSON with nothing in it', '{}', ['slug', 'missing'], ['contract', 'missing'], nothingSaid),
  bad('JSON without its values', '{"slug": , "contract": }', ['slug', 'missing'], ['contract', ''], nothingSaid),
  bad('a mistyped key of the document', clauseText({ clause: null, clauses: '{}' }), nothingSaid, [
    'clauses',
    'did you mean "clause"?',
  ]),
  bad('a key nobody knows', clauseText({ colour: 'red' }), ['colour', 'unknown key "colour"']),
  bad(
    'keys that objects inherit',
    clauseText({ __proto: '1', constructor: '1', toString: '1', hasOwnProperty: '1' }),
    ['__proto', 'unknown key'],
    ['constructor', 'unknown key'],
    ['toString', 'unknown key'],
    ['hasOwnProperty', 'unknown key'],
  ),
  bad('the key __proto__', `${clauseText()}__proto__: { slug: evil }\n`, ['__proto__', 'unknown key']),
  bad('no slug', clauseText({ slug: null }), ['slug', 'slug is missing']),
  bad('a slug with capitals and blanks', clauseText({ slug: 'Steel Brackets' }), ['slug', 'lower-case']),
  bad('a slug that is a list', clauseText({ slug: '[a]' }), ['slug', 'got a list']),
  bad('a slug of 81 characters', clauseText({ slug: 'a'.repeat(81) }), ['slug', 'slug']),
  bad('a name of 201 characters', clauseText({ name: 'n'.repeat(201) }), ['name', 'at most 200']),
  bad('a description that is a mapping', clauseText({ description: '{ a: b }' }), ['description', 'got a mapping']),
  bad('a mistyped status', clauseText({ status: 'ACTIV' }), ['status', 'did you mean "ACTIVE"?']),
  bad('a status that is a list', clauseText({ status: '[ACTIVE]' }), ['status', 'got a list']),
]

export const badContracts: readonly BadDocument[] = [
  bad('no contract', clauseText({ contract: null }), ['contract', 'missing']),
  bad('a contract that is a word', clauseText({ contract: 'yearly' }), ['contract', 'got "yearly"']),
  bad(
    'a contract that says nothing',
    clauseText({ contract: '{}' }),
    ['contract.start', 'missing'],
    ['contract.frequency', 'missing'],
  ),
  bad('a day that does not exist', contractText({ start: '2023-02-29' }), ['contract.start', '"2023-02-29"']),
  bad('a month for a start', contractText({ start: '2024-01' }), ['contract.start', 'must be a date']),
  bad('an American date', contractText({ end: '12/31/2026' }), ['contract.end', 'must be a date']),
  bad('a list for a date', contractText({ end: '[2024-01-01]' }), ['contract.end', 'got a list']),
  bad('a frequency nobody has', contractText({ frequency: 'FORTNIGHTLY' }), ['contract.frequency', 'QUARTERLY']),
  bad('a frequency in small letters', contractText({ frequency: 'quarterly' }), ['contract.frequency', 'QUARTERLY']),
  bad('every zero months', contractText({ frequency: '0 months' }), ['contract.frequency', '"0 months"']),
  bad('every one and a half months', contractText({ frequency: '1.5 months' }), ['contract.frequency', 'frequency']),
  bad('a frequency named like an object’s own', contractText({ frequency: 'constructor' }), [
    'contract.frequency',
    '"constructor"',
  ]),
  bad('once without a date', contractText({ frequency: 'ONCE' }), ['contract.firstAdjustment', 'ONCE']),
  bad('a first adjustment before the start', contractText({ firstAdjustment: '2023-12-31' }), [
    'contract.firstAdjustment',
    'before the start',
  ]),
  bad('an end before the start', contractText({ end: '2023-12-31' }), ['contract.end', 'before the start']),
  bad('an end before the first adjustment', contractText({ firstAdjustment: '2025-01-01', end: '2024-12-31' }), [
    'contract.end',
    'before the first adjustment',
  ]),
  bad('a mistyped key of the contract', contractText({ firstAdjustmnt: '2024-04-01' }), [
    'contract.firstAdjustmnt',
    'did you mean "firstAdjustment"?',
  ]),
  bad('a price that is a number', contractText({ price: '12.40' }), ['contract.price', 'amount']),
  bad(
    'a price that says nothing',
    contractText({ price: '{}' }),
    ['contract.price.amount', 'missing'],
    ['contract.price.currency', 'missing'],
  ),
  bad('a price with a comma', contractText({ price: '{ amount: "12,40", currency: EUR }' }), [
    'contract.price.amount',
    '"12,40"',
  ]),
  bad('a price of nothing', contractText({ price: '{ amount: 0, currency: EUR }' }), [
    'contract.price.amount',
    'more than 0',
  ]),
  bad('a price below nothing', contractText({ price: '{ amount: -1, currency: EUR }' }), [
    'contract.price.amount',
    'more than 0',
  ]),
  bad('a currency in words', contractText({ price: '{ amount: 1, currency: euro }' }), [
    'contract.price.currency',
    'three capital letters',
  ]),
  bad('a price rounding that is a number', contractText({ price: '{ amount: 1, currency: EUR, round: 2 }' }), [
    'contract.price.round',
    '{ dp: 2 }',
  ]),
  bad('a version before the contract', clauseText({ effectiveFrom: '2023-12-31' }), ['effectiveFrom', 'start']),
  bad('a version after the contract', contractText({ end: '2024-12-31' }).concat('effectiveFrom: 2025-01-01\n'), [
    'effectiveFrom',
    'end',
  ]),
  bad('a version from a month', clauseText({ effectiveFrom: '2024-02' }), ['effectiveFrom', 'must be a date']),
  bad('parties that are a list', clauseText({ parties: '[ann@buyer.test]' }), ['parties', 'got a list']),
  bad('a buyer that is no list', clauseText({ parties: '{ buyer: ann@buyer.test }' }), ['parties.buyer', 'list']),
  bad('a buyer without an address', clauseText({ parties: '{ buyer: [ann@buyer.test, Ann] }' }), [
    'parties.buyer[1]',
    'got "Ann"',
  ]),
  bad('somebody on both sides', clauseText({ parties: '{ buyer: [a@b.test], supplier: [a@b.test] }' }), [
    'parties',
    'both sides',
  ]),
  bad('one party on both sides', clauseText({ parties: '{ buyer: acme, supplier: acme }' }), ['parties', 'both sides']),
  bad('dates and a frequency', contractText({ dates: '[2024-03-01]' }), [
    'contract.frequency',
    'does not go with dates',
  ]),
  bad('dates that do not rise', contractText({ frequency: null, dates: '[2024-03-01, 2024-03-01]' }), [
    'contract.dates[1]',
    'must rise',
  ]),
  bad('dates before the start', contractText({ frequency: null, dates: '[2023-03-01]' }), [
    'contract.dates[0]',
    'before',
  ]),
  bad('no dates', contractText({ frequency: null, dates: '[]' }), ['contract.dates', 'an empty one']),
  bad('a date that is none', contractText({ frequency: null, dates: '[2024-02-30]' }), ['contract.dates[0]', 'date']),
  bad('a restart by half', contractText({ restart: 'maybe' }), ['contract.restart', 'true or false']),
  bad('references that are one text', contractText({ references: 'FA-17' }), ['contract.references', 'list']),
  bad('a reference listed twice', contractText({ references: '[FA-17, FA-17]' }), [
    'contract.references[1]',
    'listed twice',
  ]),
  bad('a price date nobody knows', contractText({ priceDate: 'DELIVERY' }), ['contract.priceDate', 'SERVICE']),
  bad('a share of hours', contractText({ prorate: 'HOURS' }), ['contract.prorate', 'DAYS']),
  bad('corrections that do not say when', clauseText({ corrections: '{}' }), ['corrections.when', 'missing']),
  bad('a day of a correction that is not yearly', clauseText({ corrections: '{ when: FINAL, day: 03-31 }' }), [
    'corrections.day',
    'YEARLY',
  ]),
  bad('a yearly correction on a leap day', clauseText({ corrections: '{ when: YEARLY, day: 02-29 }' }), [
    'corrections.day',
    'every year',
  ]),
  bad('a path put right that is never corrected', clauseText({ corrections: '{ when: NONE, level: REBASE }' }), [
    'corrections.level',
    'NONE',
  ]),
  bad(
    'a smallest amount without a price',
    clauseText({ corrections: '{ when: EACH, min: { amount: 5, below: KEEP } }' }),
    ['corrections.min', 'contract.price'],
  ),
  bad(
    'a smallest amount below nothing',
    clauseText({
      contract: '{ start: 2024-01-01, frequency: QUARTERLY, price: { amount: 10, currency: EUR } }',
      corrections: '{ when: EACH, min: { amount: -5, below: KEEP } }',
    }),
    ['corrections.min.amount', 'negative'],
  ),
  bad('a yearly correction without a day', clauseText({ corrections: '{ when: YEARLY }' }), [
    'corrections.day',
    'missing',
  ]),
  bad(
    'a correction within an unknown time',
    clauseText({ corrections: '{ when: EACH, within: { months: 3, of: X } }' }),
    ['corrections.within.of', 'PUBLICATION'],
  ),
  bad(
    'a correction spread over two years and more',
    clauseText({ corrections: '{ when: EACH, settle: { spread: 25 } }' }),
    ['corrections.settle.spread', '1 to 24'],
  ),
  bad('a third party', clauseText({ parties: '{ buyers: [a@b.test] }' }), ['parties.buyers', 'did you mean "buyer"?']),
]

function input(
  name: string,
  changes: Readonly<Record<string, string | null>>,
  key: string,
  words: string,
): BadDocument {
  return bad(name, inputText(changes), [`inputs.steel${key === '' ? '' : `.${key}`}`, words])
}

export const badInputs: readonly BadDocument[] = [
  bad('inputs that are a list', stepsText({ inputs: '[steel]', steps: '[{ name: factor, expr: "1" }]' }), [
    'inputs',
    'got a list',
  ]),
  bad('an input that is a word', stepsText({ inputs: '{ steel: CUSTOM/steel }' }), [
    'inputs.steel',
    'got "CUSTOM/steel"',
  ]),
  bad(
    '101 inputs',
    stepsText({
      inputs: `{ ${many(101, i => `x${i}: { series: CUSTOM/x }`)} }`,
      steps: '[{ name: factor, expr: "x1" }]',
    }),
    ['inputs', '100'],
  ),
  input('no series', { series: null }, 'series', 'series is missing'),
  input('a series without its provider', { series: 'CUUR0000SA0' }, 'series', 'PROVIDER/code'),
  input('a series of a provider nobody knows', { series: 'STATS/1' }, 'series', '"STATS/1"'),
  input('a series without its code', { series: 'BLS/' }, 'series', 'PROVIDER/code'),
  input('a series that is a list', { series: '[BLS/A]' }, 'series', 'got a list'),
  input('a mistyped key of an input', { lags: '1 month' }, 'lags', 'did you mean "lag"?'),
  bad(
    'a weight in percent',
    inputText({ weight: '35' }),
    ['inputs.steel.weight', '0.35 for 35 %'],
    ['inputs', 'not 1'],
  ),
  bad(
    'a weight below nothing',
    inputText({ weight: '-0.1' }),
    ['inputs.steel.weight', 'fraction of 1'],
    ['inputs', 'not 1'],
  ),
  input('a weight in words', { weight: 'half' }, 'weight', 'a number or the name of a param'),
  input('a weight with a percent sign', { weight: '35%' }, 'weight', '"35%"'),
  input('a weight in exponents', { weight: '1e-1' }, 'weight', '"1e-1"'),
  input('a weight that is a mapping', { weight: '{ value: 1 }' }, 'weight', 'got a mapping'),
  input('a weight of 61 digits', { weight: `0.${'1'.repeat(60)}` }, 'weight', 'weight'),
  input('a base that is no period', { base: '2023-13' }, 'base', '"2023-13"'),
  input('a base in week 53 of a year without one', { base: '2023-W53' }, 'base', '"2023-W53"'),
  input('a base range that runs backwards', { base: '2023-12..2023-10' }, 'base', 'earlier'),
  input('a base range of two kinds', { base: '2023-Q3..2023-12' }, 'base', 'one kind'),
  input('a base range of three', { base: '2023-01..2023-02..2023-03' }, 'base', 'base must be'),
  input('a base value in words', { base: '{ value: many }' }, 'base.value', 'decimal number'),
  input('a base without its value', { base: '{}' }, 'base.value', 'missing'),
  input('a base that is a list', { base: '[2023-12]' }, 'base', 'got a list'),
  input('no base for a clause', { base: null }, 'base', 'base is missing'),
  input('a lag in fortnights', { lag: '1 fortnight' }, 'lag', '"1 fortnight"'),
  input('a lag with two signs', { lag: '--1 month' }, 'lag', '"--1 month"'),
  input('a lag of half a month', { lag: '0.5 months' }, 'lag', 'whole number'),
  input('a lag without its unit', { lag: '3' }, 'lag', 'days, weeks, months'),
  input('a window of nothing', { window: '0 months' }, 'window', 'at least one'),
  input('a window in words', { window: 'a quarter' }, 'window', '"a quarter"'),
  input('a way of joining nobody knows', { using: 'AVERAGE' }, 'using', 'MEAN'),
  input('interpolation by the month', { interpolate: 'MONTHLY' }, 'interpolate', 'DAILY'),
  input('a mistyped pick', { pick: 'LATEST_PUBLISH' }, 'pick', 'did you mean "LATEST_PUBLISHED"?'),
  input('a vintage nobody knows', { vintage: 'NEWEST' }, 'vintage', 'LATEST, FIRST, FINAL or AT_DATE'),
  input('a policy for missing values nobody knows', { missing: 'SKIP' }, 'missing', 'LAST_KNOWN'),
  input(
    'two policies at once',
    { missing: '{ fallback: BLS/A, agreed: { 2024-01: 1 } }' },
    'missing',
    'missing must be',
  ),
  input('a mistyped policy', { missing: '{ falback: BLS/A }' }, 'missing.falback', 'did you mean "fallback"?'),
  input(
    'an estimate with a cap below nothing',
    { missing: '{ yoyEstimate: { capPct: -2 } }' },
    'missing.yoyEstimate.capPct',
    'negative',
  ),
  input('an estimate that is a number', { missing: '{ yoyEstimate: 2 }' }, 'missing.yoyEstimate', 'capPct'),
  input('a fallback that is no series', { missing: '{ fallback: nothing }' }, 'missing.fallback', 'PROVIDER/code'),
  input(
    'an agreed value for no period',
    { missing: '{ agreed: { October: 1 } }' },
    'missing.agreed.October',
    '"October"',
  ),
  input('an agreed value in words', { missing: '{ agreed: { 2025-10: same } }' }, 'missing.agreed.2025-10', '"same"'),
  input('a conversion that is a word', { convert: 'EUR' }, 'convert', 'fx or scale'),
  input('a conversion that says nothing', { convert: '{}' }, 'convert', 'fx or scale'),
  input('a rate without its direction', { convert: '{ fx: ECB/usd }' }, 'convert.operation', 'multiplies or divides'),
  input('a direction nobody knows', { convert: '{ fx: ECB/usd, operation: TIMES }' }, 'convert.operation', 'MULTIPLY'),
  input('a rate that is no series', { convert: '{ fx: usd, operation: DIVIDE }' }, 'convert.fx', 'PROVIDER/code'),
  input('a scale of nothing', { convert: '{ scale: 0 }' }, 'convert.scale', 'more than 0'),
  input('a lag of no rate', { convert: '{ scale: 2, lag: 1 month }' }, 'convert.lag', 'needs fx'),
  input('an operation of no rate', { convert: '{ scale: 2, operation: DIVIDE }' }, 'convert.operation', 'needs fx'),
  input(
    'each that is neither true nor false',
    { convert: '{ fx: ECB/usd, operation: DIVIDE, each: yes }' },
    'convert.each',
    'true or false',
  ),
  input('a weight that names no param', { weight: 'share' }, 'weight', 'the name of a param'),
  input('a window of the last none', { window: '{ last: 0 }' }, 'window.last', 'from 1 to 1000'),
  input('a window with two ends', { window: '{ last: 5, from: 1 }' }, 'window.from', 'does not go with last'),
  input('a window that only begins', { window: '{ from: 21 }' }, 'window.to', 'missing'),
  input('a window to the 32nd', { window: '{ from: 1, to: 32 }' }, 'window.to', 'from 1 to 31'),
  input('a window of nothing known', { window: '{ least: 3 }' }, 'window', '{ last: 5 }'),
  input('more wanted than taken', { window: '{ last: 3, least: 5 }' }, 'window.least', 'not be more than last'),
  input('a week of a day nobody knows', { week: 'FREITAG' }, 'week', 'FRIDAY'),
  input('read day by day', { expand: 'DAILY' }, 'expand', 'MONTHLY'),
  input('links that are a mapping', { links: '{ series: CUSTOM/old }' }, 'links', 'list'),
  input('a link that is a word', { links: '[CUSTOM/old]' }, 'links[0]', 'a link'),
  input('a link without an edge', { links: '[{ series: CUSTOM/old, coefficient: 1 }]' }, 'links[0]', 'until or from'),
  input(
    'a link without a coefficient',
    { links: '[{ series: CUSTOM/old, until: 2020-12 }]' },
    'links[0].coefficient',
    'missing',
  ),
  input(
    'a link with a coefficient of nothing',
    { links: '[{ series: CUSTOM/old, until: 2020-12, coefficient: 0 }]' },
    'links[0].coefficient',
    'more than 0',
  ),
  input(
    'a link whose edge is no period',
    { links: '[{ series: CUSTOM/old, until: then, coefficient: 1 }]' },
    'links[0].until',
    '"then"',
  ),
  input(
    'a link that ends before it begins',
    { links: '[{ series: CUSTOM/old, from: 2021-01, until: 2020-12, coefficient: 1 }]' },
    'links[0].until',
    'before',
  ),
  input(
    '21 links',
    { links: `[${many(21, i => `{ series: CUSTOM/old, until: ${2000 + i}, coefficient: 1 }`)}]` },
    'links',
    '20',
  ),
  input('a rounding that is a number', { round: '2' }, 'round', 'dp'),
  input('a rounding that says nothing', { round: '{}' }, 'round.dp', 'dp'),
  input('31 decimals', { round: '{ dp: 31 }' }, 'round.dp', '"31"'),
  input('decimals that are a list', { round: '{ dp: [2] }' }, 'round.dp', 'got a list'),
  input('decimals and a multiple', { round: '{ dp: 2, multiple: 0.05 }' }, 'round', 'not both'),
  input('a multiple of nothing', { round: '{ multiple: 0 }' }, 'round.multiple', 'more than 0'),
  input('a rounding mode nobody knows', { round: '{ dp: 2, mode: HALF-UP }' }, 'round.mode', 'did you mean "HALF_UP"?'),
  input('a mistyped key of a rounding', { round: '{ dp: 2, modes: UP }' }, 'round.modes', 'did you mean "mode"?'),
  input('a window beside interpolation', { interpolate: 'DAILY', window: '2 months' }, 'window', 'interpolate'),
  input('a pick beside interpolation', { interpolate: 'DAILY', pick: 'LATEST_PUBLISHED' }, 'pick', 'interpolate'),
]
