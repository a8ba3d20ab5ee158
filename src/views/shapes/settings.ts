// Wire types of the console: keys, people, the workspace and what was done in it.
import type { KeyScope } from '../../core/people/key-scope.ts'
import type { OptionalMailKind } from '../../core/people/mail-kinds.ts'
import type { PartyName } from './parties.ts'
import type { Role } from './session.ts'

export interface KeyRow {
  readonly id: string
  readonly name: string
  readonly scope: KeyScope
  readonly lastFour: string
  /** An address, or `operator`. */
  readonly madeBy: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
  /** By the database's clock. */
  readonly state: 'live' | 'expired' | 'revoked'
}

export interface IssuedKey {
  readonly id: string
  readonly name: string
  readonly scope: KeyScope
  readonly key: string
  readonly expiresAt: string | null
}

/** What a calendar feed shows: releases, adjustment dates, or both. */
export type FeedContent = 'ALL' | 'RELEASES' | 'DATES'

/** The address of a calendar feed; the address itself is shown once. */
export interface FeedRow {
  readonly id: string
  readonly name: string
  readonly shows: FeedContent
  /** The slugs of its agreements; null: all that the person sees. */
  readonly agreements: readonly string[] | null
  readonly lastFour: string
  readonly createdAt: string
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

export interface IssuedFeed {
  readonly id: string
  readonly name: string
  /** With its secret. */
  readonly address: string
}

export interface PersonRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** The company they belong to. */
  readonly party: PartyName | null
  /** Of another company that admits its own people: a link for them goes to their address only, and their party stays. */
  readonly isOthers: boolean
  /** How many agreements a supplier sees: those that name it or its party. Null for people who see all of them. */
  readonly sees: number | null
  /** How many agreements name their address, which stands for nobody there: their party let them in by itself. */
  readonly waitsIn: number
  readonly isMe: boolean
  /** Whether they have opened their link; before that they have no access. */
  readonly hasJoined: boolean
  readonly lastSeenAt: string | null
  /** Who gave them the link they joined with, or have not used yet, when and from where; and from where they joined. */
  readonly invitedBy: string
  readonly invitedAt: string
  readonly invitedFrom: string | null
  readonly joinedAt: string | null
  readonly joinedFrom: string | null
}

export interface Invited {
  readonly person: PersonRow
  /** The one-time link, shown once; null where it goes to the person's address only. */
  readonly link: string | null
  readonly expiresAt: string | null
  /** Whether it goes to the person by mail as well. */
  readonly isMailed: boolean
  /** Why it does not, where mail is set up. */
  readonly whyNotMailed: string | null
}

/** Which mail a person gets from this workspace. */
export interface MailSettings {
  /** Whether this installation sends mail at all. */
  readonly isOn: boolean
  readonly email: string
  /** One mail a day with everything, in place of one for each thing. */
  readonly isDigest: boolean
  /** Kinds they do not want. */
  readonly muted: readonly OptionalMailKind[]
}

export interface WorkspacePage {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Requests a minute for each key, and for all keys together. */
  readonly rateLimit: number
  readonly workspaceRateLimit: number
  readonly createdAt: string
  /** The role of this person here, and their company. */
  readonly me: { readonly role: Role; readonly party: PartyName | null }
  /** Empty for suppliers. */
  readonly quotas: readonly QuotaView[]
}

/** What the workspace may have at most, and what it has. The operator of the server sets the limits. */
export interface QuotaView {
  readonly kind: 'agreements' | 'series' | 'keys' | 'vintages' | 'people' | 'uploads' | 'prices' | 'lines'
  readonly most: number
  readonly isDefault: boolean
  /** Null for files that are read at the same time: each server counts its own. */
  readonly used: number | null
}

export interface ActivityPage {
  readonly rows: readonly {
    readonly id: string
    readonly at: string
    readonly who: string
    readonly what: string
    readonly subject: string
    readonly fromAddress: string | null
    readonly target: ActivityTarget | null
  }[]
  readonly next: string | null
}

/** What an activity was about, if it still exists: a page to open. */
export type ActivityTarget =
  | { readonly kind: 'agreement'; readonly slug: string; readonly period: string | null }
  | { readonly kind: 'series'; readonly id: string }
  | { readonly kind: 'settings'; readonly part: 'people' | 'keys' | 'parties' | 'workspace' }

export interface ChainReport {
  readonly chains: readonly {
    readonly scope: 'workspace' | 'public'
    readonly publications: number
    readonly isWhole: boolean
    /** The problem in words if it is not intact. */
    readonly problem: string | null
    /** Of the tree over them. */
    readonly root: string | null
  }[]
}

export interface IdentityProviderRow {
  readonly id: string
  /** By its slug; null: people of the workspace who are of no party. */
  readonly party: string | null
  readonly partyName: string | null
  readonly issuer: string
  readonly clientId: string
  /** What people open to sign in by it. */
  readonly address: string
  readonly isRequired: boolean
  /** The e-mail address of who keeps a password. */
  readonly except: string | null
  readonly groupsClaim: string | null
  readonly groups: readonly { readonly group: string; readonly role: Role }[]
  readonly joining: { readonly group: string; readonly role: Role } | null
  /** People of the party who sign in by it. */
  readonly linked: number
  /** The addresses of those who have joined and do not. */
  readonly unlinked: readonly string[]
  readonly setBy: string
  readonly setAt: string
}

export interface IdentityProvidersPage {
  readonly providers: readonly IdentityProviderRow[]
  /** Whose provider the person may set: parties by slug, and null for people of no party. */
  readonly parties: readonly { readonly party: string | null; readonly name: string }[]
  /** Owners, for the one who keeps a password. */
  readonly owners: readonly { readonly email: string; readonly party: string | null }[]
  /** To be entered at the provider, letter by letter. */
  readonly redirectAddress: string
  readonly logoutAddress: string
}

export interface ProviderTest {
  readonly isGood: boolean
  /** One sentence: what is wrong, or that all is well. */
  readonly sentence: string
}
