// Small formula documents as text, put together from a good one and a change, so that a test shows only what it is about.

/** A value in YAML flow style; null leaves the key out. */
export type Changes = Readonly<Record<string, string | null>>

function merge(good: Changes, changes: Changes): [string, string][] {
  return Object.entries({ ...good, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null)
}

function lines(entries: readonly (readonly [string, string])[]): string {
  return entries.map(([key, value]) => `${key}: ${value}\n`).join('')
}

function flow(entries: readonly (readonly [string, string])[]): string {
  return `{ ${entries.map(([key, value]) => `${key}: ${value}`).join(', ')} }`
}

const goodInput: Changes = { series: 'CUSTOM/steel', weight: '1', base: '2023-12' }
const goodContract: Changes = { start: '2024-01-01', frequency: 'QUARTERLY' }

const goodClause: Changes = {
  slug: 'good',
  contract: flow(merge(goodContract, {})),
  inputs: `{ steel: ${flow(merge(goodInput, {}))} }`,
  clause: '{}',
}

const goodSteps: Changes = {
  slug: 'good',
  contract: flow(merge(goodContract, {})),
  inputs: `{ steel: ${flow(merge(goodInput, {}))} }`,
  steps: '[{ name: factor, expr: "steel / steel.base" }]',
  result: '{ kind: FACTOR, step: factor }',
}

/** A good document with a clause, except for the changes. */
export function clauseText(changes: Changes = {}): string {
  return lines(merge(goodClause, changes))
}

/** A good document with steps, except for the changes. */
export function stepsText(changes: Changes = {}): string {
  return lines(merge(goodSteps, changes))
}

/** A good document whose contract has changes. */
export function contractText(changes: Changes): string {
  return clauseText({ contract: flow(merge(goodContract, changes)) })
}

/** A good document whose one input, `steel`, has changes. */
export function inputText(changes: Changes): string {
  return clauseText({ inputs: `{ steel: ${flow(merge(goodInput, changes))} }` })
}

/** A good document whose one step has this expression. */
export function expressionText(expr: string, changes: Changes = {}): string {
  return stepsText({ steps: `[{ name: factor, expr: ${JSON.stringify(expr)} }]`, ...changes })
}

/** A mapping of so many entries: `{ x1: …, x2: … }`. */
export function many(count: number, entry: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => entry(i + 1)).join(', ')
}
