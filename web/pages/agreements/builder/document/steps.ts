// Turns a clause into the steps it compiles to, and lists the names expressions may use. The lines come from the engine's own
// compiler, so they are those computed today.
import { checkDocument } from '../../../../../src/core/formula/check/check.ts'
import { controls } from '../../../../../src/core/formula/controls/controls.ts'
import { hasYearLimit, whyNotWritten, writeOutYears } from '../../../../../src/core/formula/controls/year.ts'
import type { Raw } from '../../../../../src/core/formula/raw.ts'
import { formatCarried, type Rounding } from '../../../../../src/core/numbers/ratio.ts'
import type { ProblemView } from '../../../../../src/views/shapes/session.ts'
import { builtins, calls, type Word } from '../editor/vocabulary.ts'
import { hasAt, keysAt, listAt, openDocument, type Plain, rawAt, setAll, setAt, textAt } from './document.ts'
import { readRounding, writeRounding } from './shapes.ts'

/** Why a valid clause cannot be written as steps; null if it can. */
export function whyNotSteps(text: string): string | null {
  const clause = checkDocument(text).formula?.clause
  return clause == null ? null : whyNotWritten(clause)
}

/** Whether the steps need a factor from before they start, which is not known after signed periods. */
export function asksForYears(text: string): boolean {
  const clause = checkDocument(text).formula?.clause
  return clause != null && hasYearLimit(clause)
}

/** The document with its clause replaced by the compiled steps; null if that is impossible or the document has problems. */
export function turnIntoSteps(text: string): string | null {
  const { formula } = checkDocument(text)
  if (formula === null || formula.clause === null || whyNotWritten(formula.clause) !== null) return null
  const { root } = openDocument(text)
  const steps = writeOutYears(formula).map(({ name, expr, round, show, note }) => ({
    name,
    expr,
    ...(round === null ? {} : { round: writeRoundingOf(round) }),
    ...(show === null ? {} : { show: writeRoundingOf(show) }),
    ...(note === null ? {} : { note }),
  }))
  const { kind, step } = formula.result
  const shown = writeRounding(readRounding(rawAt(root, ['result', 'show'])))
  // A price rounded by the clause keeps that rounding.
  const price = writeRounding(readRounding(rawAt(root, ['clause', 'rounding', 'price'])))
  const isPriceRounded = price !== null && hasAt(root, ['contract', 'price'])
  const withSteps = setAt(setAt(text, ['steps'], null), ['steps'], steps)
  return setAll(withSteps, [
    ...(isPriceRounded ? [[['contract', 'price', 'round'], price] as const] : []),
    [['clause'], null],
    [['result'], { kind, step: formula.steps[step]!.name, ...(shown === null ? {} : { show: shown }) }],
  ])
}

export function countSteps(text: string): number {
  return listAt(openDocument(text).root, ['steps']).length
}

function writeRoundingOf(rounding: Rounding): Plain {
  const mode: { mode?: string } = rounding.mode === 'HALF_UP' ? {} : { mode: rounding.mode }
  if ('dp' in rounding) return { dp: rounding.dp.toString(), ...mode }
  return { multiple: formatCarried(rounding.multiple), ...mode }
}

/** The names that the expression of the step at a position may use; later steps only inside `prev`. */
export function namesFor(root: Raw, at: number): Word[] {
  const inputs = keysAt(root, ['inputs']).flatMap(name => [
    { label: name, detail: 'the current reading' },
    { label: `${name}.base`, detail: 'the base reading' },
    { label: `${name}.prev`, detail: 'the reading a period before' },
    { label: `${name}.last`, detail: 'the reading at the last applied adjustment' },
  ])
  const clause = hasAt(root, ['clause']) ? clauseNames(root) : []
  const steps = listAt(root, ['steps']).slice(0, at)
  return [
    ...inputs,
    ...keysAt(root, ['params']).map(label => ({ label, detail: 'a param' })),
    ...keysAt(root, ['tables']).map(label => ({ label, detail: 'a table, for lookup' })),
    ...clause,
    ...steps
      .map(step => ({ label: textAt(step, ['name']), detail: 'a step above' }))
      .filter(({ label }) => label !== ''),
    ...builtins,
    ...calls.map(({ label, detail }) => ({ label, detail, apply: `${label}(` })),
  ]
}

function clauseNames(root: Raw): Word[] {
  const chain = controls.flatMap(({ link }) => (link === undefined ? [] : [link.line]))
  const lines = ['factor', ...chain, 'target', 'step', 'pct', 'applied']
  const ratios = keysAt(root, ['inputs']).map(name => `ratio_${name}`)
  return [...ratios, ...lines].map(label => ({ label, detail: 'a line of the clause' }))
}

/** Steps with one name in their expressions replaced by another. */
export function renameInSteps(text: string, from: string, to: string): string {
  const { root } = openDocument(text)
  const name = new RegExp(`(?<![\\p{L}\\p{N}_.])${escapePattern(from)}(?![\\p{L}\\p{N}_])`, 'gu')
  return listAt(root, ['steps']).reduce<string>((changed, step, i) => {
    const expr = textAt(step, ['expr'])
    const renamed = expr.replace(name, () => to)
    return renamed === expr ? changed : setAt(changed, ['steps', i, 'expr'], renamed)
  }, text)
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** A new name that is not taken: `step_3`. */
export function freeName(taken: readonly string[], stem: string): string {
  if (!taken.includes(stem)) return stem
  let number = 2
  while (taken.includes(`${stem}_${number}`)) number++
  return `${stem}_${number}`
}

/** The position of a problem in an expression, counted from 0, and what is wrong there. */
export function placeOfProblem({ message, at }: ProblemView): { readonly at: number | null; readonly words: string } {
  if (at === undefined) return { at: null, words: message }
  return { at: at - 1, words: message.slice(0, -`, at character ${at}`.length) }
}
