// A page to print in one language, ready to be read: files and browsers show it without changing a word.
import type { Language } from '../../core/billing/languages.ts'

interface PrintedFact {
  readonly label: string
  readonly value: string
}

interface PrintedColumn {
  readonly head: string
  /** Figures are on the right. */
  readonly isRight?: true
}

export interface PrintedTable {
  readonly title: string | null
  readonly columns: readonly PrintedColumn[]
  readonly rows: readonly (readonly string[])[]
}

export interface PrintedSheet {
  readonly language: Language
  readonly title: string
  readonly under: string | null
  readonly sides: readonly { readonly label: string; readonly lines: readonly string[] }[]
  readonly facts: readonly PrintedFact[]
  readonly tables: readonly PrintedTable[]
  /** The last one is the grand total. */
  readonly totals: readonly PrintedFact[]
  readonly remarks: readonly PrintedFact[]
  /** Lines to sign on, or the signers. */
  readonly signatures: readonly { readonly label: string; readonly name: string | null; readonly words: string }[]
}
