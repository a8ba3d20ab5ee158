// Wire types of the console: the company a person belongs to, its people, and what was done about them.
import type { Language } from '../../core/billing/languages.ts'

/** One thing that was done, as a sentence. */
export interface PeopleNews {
  readonly seq: number
  readonly at: string
  /** Whom it is about: an address. */
  readonly email: string
  /** The rest of the sentence: `was invited by olga@buyer.test (owner of the workspace)`. */
  readonly words: string
}

export interface ListConfirmation {
  readonly by: string
  readonly at: string
  readonly hash: string
  /** Whether the list is still the same. */
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
  /** Of the list as it stands: what an administrator confirms. */
  readonly hash: string
  readonly confirmed: ListConfirmation | null
  /** Of the person who asks. */
  readonly isAdministrator: boolean
}

export interface CompanyPage {
  /** Null for somebody without one. */
  readonly company: CompanyView | null
  /** In which the company, or the workspace of somebody without one, prints; English where it keeps none. */
  readonly language: Language
  /** What was done about the people of the company, or about the person who asks, that they have not seen; the newest first. */
  readonly news: readonly PeopleNews[]
  /** The same, seen or not. At most 50. */
  readonly history: readonly PeopleNews[]
}
