// Bad documents, continued: clauses, params, tables, steps, results and names, each with every problem it has.
import { clauseText, many, stepsText } from '../support/agreements/document-text.ts'
import type { BadDocument, ExpectedProblem } from './bad-documents.ts'

function bad(name: string, text: string, ...problems: ExpectedProblem[]): BadDocument {
  return { name, text, problems }
}

function clause(name: string, text: string, key: string, words: string): BadDocument {
  return bad(name, clauseText({ clause: text }), [key === '' ? 'clause' : `clause.${key}`, words])
}

const twoInputs =
  '{ steel: { series: CUSTOM/steel, weight: 0.35, base: 2023-12 }, labour: { series: CUSTOM/labour, weight: 0.25, base: 2023-Q4 } }'

export const badClauses: readonly BadDocument[] = [
  clause('a clause that is a word', 'indexed', '', 'got "indexed"'),
  clause('a clause that is a list', '[cap]', '', 'got a list'),
  clause(
    'a mistyped key of a clause',
    '{ treshold: { pct: 3, test: EXCEEDS, pays: ALL } }',
    'treshold',
    'did you mean "threshold"?',
  ),
  clause('a fixed share in words', '{ fixed: some }', 'fixed', 'name of a param'),
  clause('a tolerance below nothing', '{ tolerance: -0.1 }', 'tolerance', 'negative'),
  clause('a mistyped basis', '{ basis: CHAIN }', 'basis', 'FIXED_BASE or CHAINED'),
  clause('a way of combining nobody knows', '{ combine: PRODUCT }', 'combine', 'RATIO_OF_SUMS'),
  clause('an adder that is a list', '{ adder: [1] }', 'adder', 'got a list'),
  clause('a threshold that is a number', '{ threshold: 3 }', 'threshold', 'pct: 3, test: EXCEEDS'),
  bad(
    'a threshold that says nothing',
    clauseText({ clause: '{ threshold: {} }' }),
    ['clause.threshold.pct', 'pct is missing'],
    ['clause.threshold.test', 'EXCEEDS'],
    ['clause.threshold.pays', 'EXCESS'],
  ),
  clause('a threshold without its test', '{ threshold: { pct: 3, pays: ALL } }', 'threshold.test', 'REACHES'),
  clause(
    'a threshold that does not say what it pays',
    '{ threshold: { pct: 3, test: REACHES } }',
    'threshold.pays',
    'missing',
  ),
  clause(
    'a threshold below nothing',
    '{ threshold: { pct: -3, test: EXCEEDS, pays: ALL } }',
    'threshold.pct',
    '0 or more',
  ),
  clause('a test nobody knows', '{ threshold: { pct: 3, test: OVER, pays: ALL } }', 'threshold.test', '"OVER"'),
  clause(
    'a threshold since the start',
    '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL, since: START } }',
    'threshold.since',
    'LAST or BASE',
  ),
  clause('a share of more than all', '{ passThrough: 1.5 }', 'passThrough', 'from 0 to 1'),
  clause('no bands', '{ passThrough: [] }', 'passThrough', 'bands'),
  clause('a band that is a number', '{ passThrough: [0.5] }', 'passThrough[0]', 'a band'),
  clause('a last band with an edge', '{ passThrough: [{ upTo: 3, share: 1 }] }', 'passThrough[0].upTo', 'last band'),
  clause(
    'a first band without an edge',
    '{ passThrough: [{ share: 1 }, { share: 0.5 }] }',
    'passThrough[0].upTo',
    'missing',
  ),
  clause(
    'bands whose edges fall',
    '{ passThrough: [{ upTo: 3, share: 1 }, { upTo: 2, share: 1 }, { share: 0 }] }',
    'passThrough[1].upTo',
    'rise',
  ),
  clause('a band without a share', '{ passThrough: [{ upTo: 3 }, { share: 0.5 }] }', 'passThrough[0].share', 'missing'),
  clause(
    'a band with a share of more than all',
    '{ passThrough: [{ upTo: 3, share: 2 }, { share: 0.5 }] }',
    'passThrough[0].share',
    'from 0 to 1',
  ),
  clause('a cap that does not say of what', '{ cap: 5 }', 'cap', 'periodPct: 5'),
  clause('a cap of nothing', '{ cap: {} }', 'cap', 'periodPct, yearPct or cumulativePct'),
  clause('a cap that is a list', '{ cap: [5] }', 'cap', 'got a list'),
  clause(
    'a period cap below the period floor',
    '{ cap: { periodPct: 1 }, floor: { periodPct: 2 } }',
    'cap.periodPct',
    'below the floor',
  ),
  clause(
    'a cumulative cap below the cumulative floor',
    '{ cap: { cumulativePct: -2 }, floor: { cumulativePct: -1 } }',
    'cap.cumulativePct',
    'below the floor',
  ),
  clause('a floor below all', '{ floor: { periodPct: -100.5 } }', 'floor.periodPct', '-100'),
  bad(
    'a mistyped limit',
    clauseText({ clause: '{ cap: { periodPtc: 5 } }' }),
    ['clause.cap.periodPtc', 'did you mean "periodPct"?'],
    ['clause.cap', 'needs periodPct'],
  ),
  clause(
    'carrying forward that is neither true nor false',
    '{ cap: { periodPct: 5, carryForward: maybe } }',
    'cap.carryForward',
    'true or false',
  ),
  clause(
    'carrying forward without a period cap',
    '{ cap: { cumulativePct: 5, carryForward: true } }',
    'cap.carryForward',
    'periodPct',
  ),
  clause(
    'carrying forward at a floor in all',
    '{ floor: { cumulativePct: 0, carryForward: true } }',
    'floor.carryForward',
    'needs periodPct or yearPct',
  ),
  clause('a cap of the year without its year', '{ cap: { yearPct: 5 } }', 'cap.year', 'CONTRACT'),
  clause('a year nobody knows', '{ cap: { yearPct: 5, year: FISCAL } }', 'cap.year', 'ROLLING or CALENDAR'),
  clause('a year without its percentage', '{ cap: { periodPct: 5, year: ROLLING } }', 'cap.year', 'needs yearPct'),
  clause(
    'a yearly cap below the yearly floor',
    '{ cap: { yearPct: 1, year: CALENDAR }, floor: { yearPct: 2, year: CALENDAR } }',
    'cap.yearPct',
    'below the floor',
  ),
  clause(
    'a return to the base in a chain',
    '{ basis: CHAINED, threshold: { pct: 3, test: EXCEEDS, pays: ALL, since: BASE, inside: RETURN } }',
    'threshold.inside',
    'basis: FIXED_BASE',
  ),
  clause(
    'a return of the excess',
    '{ threshold: { pct: 3, test: EXCEEDS, pays: EXCESS, inside: RETURN } }',
    'threshold.inside',
    'pays: ALL and since: BASE',
  ),
  clause(
    'a total in a chain',
    '{ basis: CHAINED, rounding: { total: { dp: 2 } } }',
    'rounding.total',
    'FIXED_BASE only',
  ),
  clause('more than ten to the fifteenth', '{ rounding: { price: { dp: -16 } } }', 'rounding.price.dp', '-15 to 30'),
  clause(
    'a rounding of nothing known',
    '{ rounding: { percents: { dp: 2 } } }',
    'rounding.percents',
    'did you mean "percent"?',
  ),
  clause('a rounding that is a number', '{ rounding: 2 }', 'rounding', 'percent: { dp: 2 }'),
  clause(
    'a percent rounding without decimals',
    '{ rounding: { percent: { mode: DOWN } } }',
    'rounding.percent.dp',
    'dp',
  ),
  bad(
    'a fixed share above 1',
    clauseText({ clause: '{ fixed: 1.2 }' }),
    ['clause.fixed', 'fraction of 1'],
    ['inputs', 'together 2.2'],
  ),
  bad('weights that make 0.6 without a fixed share', clauseText({ inputs: twoInputs }), [
    'inputs',
    'the weights make 0.6',
  ]),
  bad('weights that make 1.00001', clauseText({ inputs: twoInputs, clause: '{ fixed: 0.40001 }' }), [
    'inputs',
    'together 1.00001',
  ]),
  bad('weights outside the tolerance', clauseText({ inputs: twoInputs, clause: '{ fixed: 0.39, tolerance: 0.009 }' }), [
    'inputs',
    'together 0.99',
  ]),
  bad(
    'a fixed share that some day does not fit',
    clauseText({
      inputs: twoInputs,
      params: '{ share: [{ from: 2024-01-01, value: 0.4 }, { from: 2025-01-01, value: 0.5 }] }',
      clause: '{ fixed: share }',
    }),
    ['inputs', 'together 1.1'],
  ),
  bad(
    'an input without a weight',
    clauseText({
      inputs:
        '{ steel: { series: CUSTOM/steel, weight: 1, base: 2023-12 }, labour: { series: CUSTOM/labour, base: 2023 } }',
    }),
    ['inputs.labour.weight', 'weight is missing'],
  ),
  bad('a clause without inputs', clauseText({ inputs: null }), ['inputs', 'at least one input']),
  bad(
    'a clause that names a mistyped param',
    clauseText({ params: '{ most: 5 }', clause: '{ cap: { periodPct: mostt } }' }),
    ['clause.cap.periodPct', 'did you mean "most"?'],
  ),
  bad(
    'a clause that names a param without a value',
    clauseText({ params: '{ most: high }', clause: '{ cap: { periodPct: most } }' }),
    ['params.most', '"high"'],
  ),
  bad(
    'a dated cap that falls below its floor',
    clauseText({
      params: '{ most: [{ from: 2024-01-01, value: 5 }, { from: 2025-01-01, value: -3 }] }',
      clause: '{ cap: { periodPct: most }, floor: { periodPct: 0 } }',
    }),
    ['clause.cap.periodPct', 'below the floor'],
  ),
]

function param(name: string, text: string, key: string, words: string): BadDocument {
  return bad(name, stepsText({ params: text }), [key === '' ? 'params' : `params.${key}`, words])
}

function table(name: string, text: string, key: string, words: string): BadDocument {
  return bad(name, stepsText({ tables: text }), [key === '' ? 'tables' : `tables.${key}`, words])
}

const openRow = '{ value: 3 }'

export const badNumbers: readonly BadDocument[] = [
  param('params that are a list', '[rate]', '', 'got a list'),
  param('a param in words', '{ rate: high }', 'rate', 'decimal number'),
  param('a param without a value', '{ rate: }', 'rate', 'no value'),
  param('a param with no dates', '{ rate: [] }', 'rate', 'entries'),
  param('a dated param without a date', '{ rate: [{ value: 3 }] }', 'rate[0].from', 'missing'),
  param('a dated param without a value', '{ rate: [{ from: 2024-01-01 }] }', 'rate[0].value', 'missing'),
  param('a dated param that is a number', '{ rate: [3] }', 'rate[0]', 'from: 2024-01-01'),
  param(
    'dates that do not rise',
    '{ rate: [{ from: 2024-01-02, value: 1 }, { from: 2024-01-02, value: 2 }] }',
    'rate[1].from',
    'rise',
  ),
  param('201 params', `{ ${many(201, i => `p${i}: 1`)} }`, '', '200'),
  table('tables that are a list', '[fuel]', '', 'got a list'),
  table('a table that is a number', '{ fuel: 3 }', 'fuel', 'a list of rows'),
  table('a table without rows', '{ fuel: [] }', 'fuel', 'rows'),
  table('a row that is a number', `{ fuel: [1, ${openRow}] }`, 'fuel[0]', 'a row'),
  table('a row without a value', `{ fuel: [{ below: 1 }, ${openRow}] }`, 'fuel[0].value', 'missing'),
  table('a row without an edge', `{ fuel: [{ value: 1 }, ${openRow}] }`, 'fuel[0]', 'below or atMost'),
  table('a row with two edges', `{ fuel: [{ below: 1, atMost: 1, value: 1 }, ${openRow}] }`, 'fuel[0]', 'not both'),
  table('a last row with an edge', '{ fuel: [{ below: 1, value: 1 }] }', 'fuel[0]', 'last row'),
  table(
    'edges that do not rise',
    `{ fuel: [{ below: 2, value: 1 }, { below: 2, value: 2 }, ${openRow}] }`,
    'fuel[1]',
    'rise',
  ),
  table('an edge in words', `{ fuel: [{ below: low, value: 1 }, ${openRow}] }`, 'fuel[0].below', '"low"'),
  table(
    'a mistyped edge',
    `{ fuel: [{ bellow: 1, below: 2, value: 1 }, ${openRow}] }`,
    'fuel[0].bellow',
    'did you mean "below"?',
  ),
  table('51 tables', `{ ${many(51, i => `t${i}: [{ value: 1 }]`)} }`, '', '50'),
  table('2001 rows', `{ fuel: [${many(2000, i => `{ below: ${i}, value: 1 }`)}, ${openRow}] }`, 'fuel', '2000'),
]

function steps(name: string, text: string, ...problems: ExpectedProblem[]): BadDocument {
  return bad(name, stepsText({ steps: text }), ...problems)
}

const factor = '{ name: factor, expr: "1" }'

export const badSteps: readonly BadDocument[] = [
  bad('neither a clause nor steps', stepsText({ steps: null, result: null }), ['', 'a clause or steps are needed']),
  bad('an empty list of steps', stepsText({ steps: '[]', result: null }), ['steps', 'empty'], ['result', 'missing']),
  bad(
    'steps that are a mapping',
    stepsText({ steps: '{ factor: "1" }', result: null }),
    ['steps', 'got a mapping'],
    ['result', 'missing'],
  ),
  steps('a step that is a word', `[steel, ${factor}]`, ['steps[0]', 'a step is written as']),
  steps('a step without a name', `[{ expr: "1" }, ${factor}]`, ['steps[0].name', 'missing']),
  steps('a step with an empty name', `[{ name: "", expr: "1" }, ${factor}]`, ['steps[0].name', 'name']),
  steps('a step without an expression', `[{ name: a }, ${factor}]`, ['steps[0].expr', 'missing']),
  steps('an expression that is a list', `[{ name: a, expr: [1] }, ${factor}]`, ['steps[0].expr', 'got a list']),
  steps('a mistyped key of a step', '[{ name: factor, expr: "1", rounds: { dp: 2 } }]', [
    'steps[0].rounds',
    'did you mean "round"?',
  ]),
  steps('a step with a bad rounding', '[{ name: factor, expr: "1", round: 3 }]', ['steps[0].round', 'rounding']),
  steps('a step with a bad show', '[{ name: factor, expr: "1", show: { dp: few } }]', ['steps[0].show.dp', '"few"']),
  steps('a note that is a list', '[{ name: factor, expr: "1", note: [a] }]', ['steps[0].note', 'got a list']),
  steps('a name used twice', `[${factor}, ${factor}]`, ['steps[1].name', 'already']),
  steps('a step named like an input', `[{ name: steel, expr: "1" }, ${factor}]`, ['steps[0].name', 'an input']),
  steps('a step with a reserved name', `[{ name: quarter, expr: "1" }, ${factor}]`, [
    'steps[0].name',
    'meaning of its own',
  ]),
  steps('a step named like a call', `[{ name: clamp, expr: "1" }, ${factor}]`, ['steps[0].name', 'meaning of its own']),
  steps('a step named like an operator', `[{ name: and, expr: "1" }, ${factor}]`, [
    'steps[0].name',
    'meaning of its own',
  ]),
  steps('a step whose name has a hyphen', `[{ name: net-price, expr: "1" }, ${factor}]`, [
    'steps[0].name',
    '"net-price"',
  ]),
  steps('a step whose name begins with a digit', `[{ name: 1st, expr: "1" }, ${factor}]`, ['steps[0].name', '"1st"']),
  steps('a name of 61 letters', `[{ name: ${'n'.repeat(61)}, expr: "1" }, ${factor}]`, ['steps[0].name', '60']),
  steps(
    '201 steps',
    `[${many(200, i => `{ name: s${i}, expr: "1" }`)}, ${factor}]`,
    ['steps', '200'],
    ['result.step', 'factor'],
  ),
  bad('a param named like an input', stepsText({ params: '{ steel: 1 }' }), ['params.steel', 'an input']),
  bad('a table named like a param', stepsText({ params: '{ fuel: 1 }', tables: '{ fuel: [{ value: 1 }] }' }), [
    'tables.fuel',
    'a param',
  ]),
  bad(
    'an input with a reserved name',
    stepsText({
      inputs: '{ price: { series: CUSTOM/a }, steel: { series: CUSTOM/b, base: 2023 } }',
    }),
    ['inputs.price', 'meaning of its own'],
  ),
  bad(
    'an input whose name has a dot',
    stepsText({
      inputs: '{ steel.base: { series: CUSTOM/a }, steel: { series: CUSTOM/b, base: 2023 } }',
    }),
    ['inputs.steel.base', '"steel.base"'],
  ),
  bad('a step named like a line of the clause', clauseText({ steps: '[{ name: applied, expr: "1" }]' }), [
    'steps[0].name',
    'line of the clause',
  ]),
  bad(
    'an input named like the ratio of another',
    clauseText({
      inputs:
        '{ a: { series: CUSTOM/a, weight: 0.5, base: 2023 }, ratio_a: { series: CUSTOM/b, weight: 0.5, base: 2023 } }',
    }),
    ['inputs.ratio_a', 'line of the clause'],
  ),
  bad('no result', stepsText({ result: null }), ['result', 'result is missing']),
  bad('a result that is a word', stepsText({ result: 'factor' }), ['result', 'got "factor"']),
  bad('a result without its kind', stepsText({ result: '{ step: factor }' }), ['result.kind', 'FACTOR']),
  bad('a result without its step', stepsText({ result: '{ kind: FACTOR }' }), ['result.step', 'missing']),
  bad('a result of a kind nobody knows', stepsText({ result: '{ kind: RATIO, step: factor }' }), [
    'result.kind',
    'CHANGE_PCT, PRICE or SURCHARGE',
  ]),
  bad('a result of a mistyped step', stepsText({ result: '{ kind: FACTOR, step: facto }' }), [
    'result.step',
    'did you mean "factor"?',
  ]),
  bad('a price without the price of the contract', stepsText({ result: '{ kind: PRICE, step: factor }' }), [
    'result.kind',
    'contract.price',
  ]),
  bad('a percent beside a clause without its step', clauseText({ result: '{ kind: CHANGE_PCT }' }), [
    'result.step',
    'missing',
  ]),
  bad('a mistyped key of the result', stepsText({ result: '{ kind: FACTOR, step: factor, shows: { dp: 1 } }' }), [
    'result.shows',
    'did you mean "show"?',
  ]),
  bad('a base that a step asks for and nobody wrote', stepsText({ inputs: '{ steel: { series: CUSTOM/steel } }' }), [
    'inputs.steel.base',
    '"factor" uses steel.base',
  ]),
  bad(
    'a base that prev begins with and nobody wrote',
    stepsText({
      inputs: '{ steel: { series: CUSTOM/steel } }',
      steps: '[{ name: factor, expr: "steel / steel.prev" }]',
    }),
    ['inputs.steel.base', 'steel.prev'],
  ),
  bad(
    'two steps that use each other',
    stepsText({
      steps: '[{ name: egg, expr: "hen + 1" }, { name: hen, expr: "egg + 1" }, { name: factor, expr: "egg" }]',
    }),
    ['steps[0].expr', '"hen" is used before its step'],
  ),
]
