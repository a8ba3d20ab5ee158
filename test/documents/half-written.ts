// Documents with a key without a value: it counts as not written, and never as an empty rule.
import { clauseText, contractText, inputText, stepsText } from '../support/agreements/document-text.ts'
import type { BadDocument, ExpectedProblem } from './bad-documents.ts'

function bad(name: string, text: string, ...problems: ExpectedProblem[]): BadDocument {
  return { name, text, problems }
}

export const halfWritten: readonly BadDocument[] = [
  bad('a price amount left open', contractText({ price: '{ amount: , currency: EUR }' }), [
    'contract.price.amount',
    'missing',
  ]),
  bad('a currency left open', contractText({ price: '{ amount: 1, currency: }' }), [
    'contract.price.currency',
    'missing',
  ]),
  bad('a series left open', stepsText({ inputs: '{ steel: { series: , base: 2023 } }' }), [
    'inputs.steel.series',
    'missing',
  ]),
  bad('a base value left open', inputText({ base: '{ value: }' }), ['inputs.steel.base.value', 'missing']),
  bad('an edge of a link left open', inputText({ links: '[{ series: CUSTOM/old, until: , coefficient: 1 }]' }), [
    'inputs.steel.links[0]',
    'until or from',
  ]),
  bad('a coefficient left open', inputText({ links: '[{ series: CUSTOM/old, until: 2015, coefficient: }]' }), [
    'inputs.steel.links[0].coefficient',
    'missing',
  ]),
  bad('a multiple left open', inputText({ round: '{ multiple: }' }), ['inputs.steel.round.dp', 'dp']),
  bad('a threshold left open', clauseText({ clause: '{ threshold: { pct: , test: EXCEEDS, pays: ALL } }' }), [
    'clause.threshold.pct',
    'missing',
  ]),
  bad('a test left open', clauseText({ clause: '{ threshold: { pct: 3, test: , pays: ALL } }' }), [
    'clause.threshold.test',
    'missing',
  ]),
  bad('a cap left open', clauseText({ clause: '{ cap: { periodPct: } }' }), [
    'clause.cap',
    'periodPct, yearPct or cumulativePct',
  ]),
  bad(
    'carrying forward with a cap left open',
    clauseText({ clause: '{ cap: { periodPct: , cumulativePct: 5, carryForward: true } }' }),
    ['clause.cap.carryForward', 'periodPct'],
  ),
  bad('a share left open', clauseText({ clause: '{ passThrough: [{ upTo: 3, share: }, { share: 0.5 }] }' }), [
    'clause.passThrough[0].share',
    'missing',
  ]),
  bad(
    'an edge of a band left open',
    clauseText({ clause: '{ passThrough: [{ upTo: , share: 1 }, { share: 0.5 }] }' }),
    ['clause.passThrough[0].upTo', 'missing'],
  ),
  bad('a dated value left open', stepsText({ params: '{ rate: [{ from: 2024-01-01, value: }] }' }), [
    'params.rate[0].value',
    'missing',
  ]),
  bad('a date left open', stepsText({ params: '{ rate: [{ from: , value: 3 }] }' }), [
    'params.rate[0].from',
    'missing',
  ]),
  bad('a row left open', stepsText({ tables: `{ fuel: [{ below: 1, value: }, { value: 3 }] }` }), [
    'tables.fuel[0].value',
    'missing',
  ]),
  bad('an edge of a row left open', stepsText({ tables: `{ fuel: [{ below: , value: 1 }, { value: 3 }] }` }), [
    'tables.fuel[0]',
    'below or atMost',
  ]),
  bad('a kind left open', stepsText({ result: '{ kind: , step: factor }' }), ['result.kind', 'missing']),
]
