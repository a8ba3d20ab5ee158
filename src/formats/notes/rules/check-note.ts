// All rules together: the faults of a note by field, so that people see at once what to fill in.
import { Refusal } from '../../../core/refusal.ts'
import type { NoteDocument } from '../note-document.ts'
import { documentRules } from './document-rules.ts'
import { moneyRules } from './money-rules.ts'
import { peppolRules } from './peppol-rules.ts'
import type { NoteRule } from './rule.ts'
import { taxRules } from './tax-rules.ts'

export const standardRules: readonly NoteRule[] = [...documentRules, ...taxRules, ...moneyRules]

interface NoteLack {
  /** The field's name in `billing.yaml`. */
  readonly field: string
  /** The requirement of the first rule. */
  readonly needs: string
  /** The numbers of all rules that the field breaks. */
  readonly rules: readonly string[]
}

export function brokenRules(document: NoteDocument): readonly NoteRule[] {
  const rules = document.isPeppol ? [...standardRules, ...peppolRules] : standardRules
  return rules.filter(each => each.isBroken(document))
}

export function noteLacks(document: NoteDocument): readonly NoteLack[] {
  const byField = Map.groupBy(brokenRules(document), ({ field }) => field)
  return [...byField].map(([field, rules]) => ({
    field,
    needs: rules[0]!.needs,
    rules: [...new Set(rules.map(({ id }) => id))],
  }))
}

/** Names all faults at once: a note that its receiver would refuse is not written. */
export function refuseLacks(lacks: readonly NoteLack[]): void {
  if (lacks.length === 0) return
  const told = lacks.map(({ field, needs, rules }) => `${field}: ${needs} (${rules.join(', ')})`)
  throw new Refusal('invalid', `the note would be refused by who receives it; it needs ${told.join('; ')}`)
}
