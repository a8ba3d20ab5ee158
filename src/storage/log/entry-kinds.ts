// Every kind of entry, with all of its parts. Another kind is added in one of the groups, with a migration for its table, and
// nowhere else: writing, reading, verifying, sealing, caches and feeds derive from it.
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import { agreementKinds } from './agreement-kinds.ts'
import { hashContent, type Salt } from './content.ts'
import { correctionKinds } from './correction-kinds.ts'
import type { AnyEntryRule, EntryFacts, EntryRule } from './entry-kind.ts'
import { priceKinds } from './price-kinds.ts'
import { scopeKinds } from './scope-kinds.ts'
import { seriesKinds } from './series-kinds.ts'
import { termsKinds } from './terms-kinds.ts'

const kinds = {
  ...seriesKinds,
  ...agreementKinds,
  ...scopeKinds,
  ...priceKinds,
  ...correctionKinds,
  ...termsKinds,
}

export type EntryKind = keyof typeof kinds

type RuleParts<K extends EntryKind> = (typeof kinds)[K] extends EntryRule<infer C, infer Beside> ? [C, Beside] : never

/** Facts that are hashed in an entry of the kind. */
export type FactsOf<K extends EntryKind> = EntryFacts<RuleParts<K>[0]>

/** Facts that are stored with it and not hashed. */
export type BesideOf<K extends EntryKind> = RuleParts<K>[1]

export const entryKinds: Readonly<Record<EntryKind, AnyEntryRule>> = kinds

export const allEntryKinds = Object.keys(entryKinds) as readonly EntryKind[]

export function kindsWhere(isWanted: (rule: AnyEntryRule) => boolean): readonly EntryKind[] {
  return allEntryKinds.filter(kind => isWanted(entryKinds[kind]))
}

/** Kinds whose rows are read to be hashed, and those with so many that the database hashes them. */
export const readKinds = kindsWhere(({ content }) => content !== null)
export const massKinds = kindsWhere(({ content }) => content === null)

export function contentOf<K extends EntryKind>(kind: K, facts: FactsOf<K>, at: Instant): Json {
  return entryKinds[kind].content!(facts as never, at)
}

/** Hash of an entry; the database makes it where the kind has no content here. */
export function hashEntry<K extends EntryKind>(kind: K, facts: FactsOf<K>, at: Instant, salt: Salt): Buffer {
  if (entryKinds[kind].content === null) return (facts as FactsOf<'observations'>).hash
  return hashContent(contentOf(kind, facts, at), salt)
}
