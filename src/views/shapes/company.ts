// Wire types of the console: the company a person belongs to, its people, and its history.
import type { Language } from '../../core/billing/languages.ts'

/** One act, as a sentence. */
export interface PeopleNews {
  readonly seq: number
  readonly at: string
  /** Address of its subject. */
  readonly email: string
  /** The rest of the sentence: `was invited by olga@buyer.test (owner of the workspace)`. */
  readonly words: string
}

export interface ListConfirmation {
  readonly by: string
  readonly at: string
  readonly hash: string
  /** Whether the list has not changed since. */
  readonly isCurrent: boolean
}

export interface CompanyPerson {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly joinedAt: string | null
  readonly isAdministrator: boolean
  readonly isMe: boolean
}

export interface CompanyView {
  readonly slug: string
  readonly name: string
  readonly people: readonly CompanyPerson[]
  /** Hash of the present list, for an administrator to confirm. */
  readonly hash: string
  readonly confirmed: ListConfirmation | null
  /** Whether the person who asks is one. */
  readonly isAdministrator: boolean
}

export interface CompanyPage {
  /** Null for somebody without a company. */
  readonly company: CompanyView | null
  /** Print language of the company, or of the workspace for somebody without one; English where none is set. */
  readonly language: Language
  /** Unseen acts about the people of the company, or about the person who asks, the newest first. */
  readonly news: readonly PeopleNews[]
  /** The newest acts, seen or not; at most 50. */
  readonly history: readonly PeopleNews[]
}
