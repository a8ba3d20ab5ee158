// Compilers of clauses that differ from ours, as exchanges of its source text: other words for the same numbers, other
// numbers, and none at all. And one fault: a replay that compiles again instead of computing the lines of the receipt.
import type { CompilerView } from '../../src/core/receipt/replay.ts'
import type { Exchange } from './plant.ts'

/** The result for one golden receipt. */
export interface ReplayedGolden {
  readonly problems: readonly string[]
  readonly compiler: CompilerView | null
}

const file = 'src/core/formula/clause.ts'
const head =
  'export function compileClause(clause: Clause, inputs: readonly Input[], params: readonly Param[]): StepSource[] {'

/** What our compiler writes, changed. */
function behindOurs(change: string): Exchange {
  const wrong = `export function compileClause(clause: Clause, inputs: readonly Input[], params: readonly Param[]): StepSource[] {
    const change = ${change}
    return change(compileAsUsual(clause, inputs, params))
  }
  function compileAsUsual(clause: Clause, inputs: readonly Input[], params: readonly Param[]): StepSource[] {`
  return { file, right: head, wrong }
}

const inEach = (expr: string) => `(steps: StepSource[]) => steps.map(step => ({ ...step, expr: ${expr} }))`

/** The same numbers in other words. */
export const otherWords: Readonly<Record<string, readonly Exchange[]>> = {
  'redundant parentheses': [behindOurs(inEach(`'((' + step.expr + ') + 0)'`))],
  'other names of its lines': [
    behindOurs(`(steps: StepSource[]) => {
      const own = new Set(steps.map(step => step.name).filter(name => name !== 'applied'))
      const rename = (text: string) => text.replace(/[\\p{L}_][\\p{L}\\p{N}_]*/gu, name => (own.has(name) ? 'line_' + name : name))
      return steps.map(step => ({ ...step, name: rename(step.name), expr: rename(step.expr) }))
    }`),
  ],
  'terms in another order': [
    {
      file,
      right: "(isZero ? moving : [fixed, ...moving]).join(' + ')",
      wrong: "[...moving, fixed].toReversed().join(' + ')",
    },
    {
      file: 'src/core/formula/controls/rounding.ts',
      right: `\`\${previousApplied} * (1 + pct / 100)\``,
      wrong: `\`(pct / 100 + 1) * \${previousApplied}\``,
    },
  ],
  'further lines': [
    behindOurs(
      `(steps: StepSource[]) => [{ name: 'nothing', expr: '0', round: null, show: null, note: null }, ...steps]`,
    ),
  ],
}

/** One percent too much, whatever the clause says, and no rounding of its own. */
export const otherNumbers: readonly Exchange[] = [
  behindOurs(
    `(steps: StepSource[]) => steps.map(step => step.name === 'applied' ? { ...step, expr: '(' + step.expr + ') * 1.01' } : { ...step, round: null })`,
  ),
]

/** Calling it shows that. */
export const noCompiler: readonly Exchange[] = [
  behindOurs(`(): StepSource[] => { throw new Error('the compiler was asked') }`),
]

export const replayThatCompiles: Exchange = {
  file: 'src/core/receipt/replay.ts',
  right: 'formula => worksheetFormula(formula, read.governing, read.steps, read.rules))',
  wrong: '() => checkDocument(read.documents.get(read.governing)!).formula!)',
}
