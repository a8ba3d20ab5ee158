// Seals on stored rows: an HMAC under the server's secret over what the row says and where it is. Access to the
// database alone is not enough to add a signature or to change what was signed. They are not the seals of receipts,
// which anybody with an API key can get for any number: these are made only with an entry whose kind has them.
import { canonicalJson } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { type Queryable, ringIn } from '../postgres/database.ts'
import { contentOf, type EntryKind, entryKinds, type FactsOf } from './entry-kinds.ts'

/** Place of a row: a row that is moved elsewhere is not valid there. */
export interface RowPlace {
  readonly scope: string
  readonly subject: string
}

interface EntryNumber {
  readonly seq: number
  readonly at: Instant
}

interface SealedNumber extends EntryNumber {
  readonly seal: Buffer | null
}

export interface UnsealedRow {
  readonly seq: number
  readonly period: string
  /** Name such as `the stored receipt of 2024-Q2`. */
  readonly what: string
}

export class RowSeals {
  readonly #ring: KeyRing

  constructor(ring: KeyRing) {
    this.#ring = ring
  }

  seal<K extends EntryKind>(kind: K, place: RowPlace, facts: FactsOf<K>, number: EntryNumber): Buffer {
    return this.#ring.mac('row seals', this.#text(kind, place, facts, number))
  }

  holds<K extends EntryKind>(kind: K, place: RowPlace, facts: FactsOf<K>, { seal, ...number }: SealedNumber): boolean {
    return this.#ring.holds('row seals', this.#text(kind, place, facts, number), seal)
  }

  #text<K extends EntryKind>(kind: K, { scope, subject }: RowPlace, facts: FactsOf<K>, number: EntryNumber): string {
    const { seq, at } = number
    const rule = entryKinds[kind].seal
    if (rule === null) throw new Error(`entries of the kind ${kind} have no seal`)
    const content = contentOf(kind, facts, at)
    const sealed = rule.coversNumber ? { content, seq, at } : content
    return canonicalJson({ kind: rule.as, workspace: scope, agreement: subject, content: sealed })
  }

  checking(place: RowPlace): SealCheck {
    return new SealCheck(this, place)
  }
}

/** Collects rows of one place that do not carry their seal. */
class SealCheck {
  readonly #seals: RowSeals
  readonly #place: RowPlace
  readonly unsealed: UnsealedRow[] = []

  constructor(seals: RowSeals, place: RowPlace) {
    this.#seals = seals
    this.#place = place
  }

  row<K extends EntryKind>(kind: K, facts: FactsOf<K>, number: SealedNumber, about: Omit<UnsealedRow, 'seq'>): void {
    if (!this.#seals.holds(kind, this.#place, facts, number)) this.unsealed.push({ seq: number.seq, ...about })
  }
}

/** Seals of the installation that the connections belong to. */
export function rowSealsOf(tx: Queryable): RowSeals {
  return new RowSeals(ringIn(tx))
}
