// Wire types of the console: keys, people, the workspace and its activity.
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

/** Content of a calendar feed: releases, adjustment dates, or both. */
export type FeedContent = 'ALL' | 'RELEASES' | 'DATES'

/** A calendar feed; its address is shown once. */
export interface FeedRow {
  readonly id: string
  readonly name: string
  readonly shows: FeedContent
  /** Slugs of its agreements; null: all that the person sees. */
  readonly agreements: readonly string[] | null
  readonly lastFour: string
  readonly createdAt: string
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

export interface IssuedFeed {
  readonly id: string
  readonly name: string
  /** Address with its secret. */
  readonly address: string
}

export interface PersonRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** The company they belong to. */
  readonly party: PartyName | null
  /** True for people of another company that admits its own: a link goes to their address only, and their party stays. */
  readonly isOthers: boolean
  /** Number of agreements a supplier sees: those that name it or its party. Null for people who see all of them. */
  readonly sees: number | null
  /** Number of agreements that name their address, which stands for nobody there: their party let them in by itself. */
  readonly waitsIn: number
  readonly isMe: boolean
  /** Whether they have opened their link; before that they have no access. */
  readonly hasJoined: boolean
  readonly lastSeenAt: string | null
  /** Inviter of their link, used or not, with time and place; and the place from which they joined. */
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
  /** Reason why it does not, where mail is set up. */
  readonly whyNotMailed: string | null
}

/** Mail that a person gets from this workspace. */
export interface MailSettings {
  /** Whether this installation sends mail at all. */
  readonly isOn: boolean
  readonly email: string
  /** True for one mail a day with everything, in place of one for each thing. */
  readonly isDigest: boolean
  /** Unwanted kinds. */
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

/** A limit of the workspace, and its use. The operator of the server sets the limits. */
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

/** Subject of an activity, if it still exists: a page to open. */
export type ActivityTarget =
  | { readonly kind: 'agreement'; readonly slug: string; readonly period: string | null }
  | { readonly kind: 'series'; readonly id: string }
  | { readonly kind: 'settings'; readonly part: 'people' | 'keys' | 'parties' | 'workspace' }

export interface ChainReport {
  readonly chains: readonly {
    readonly scope: 'workspace' | 'public'
    readonly publications: number
    readonly isWhole: boolean
    /** Problem in words if it is not intact. */
    readonly problem: string | null
    /** Root of the tree over them. */
    readonly root: string | null
  }[]
}

export interface IdentityProviderRow {
  readonly id: string
  /** Slug of the party; null: people of the workspace who are of no party. */
  readonly party: string | null
  readonly partyName: string | null
  readonly issuer: string
  readonly clientId: string
  /** Address that people open to sign in by it. */
  readonly address: string
  readonly isRequired: boolean
  /** E-mail address of the person who keeps a password. */
  readonly except: string | null
  readonly groupsClaim: string | null
  readonly groups: readonly { readonly group: string; readonly role: Role }[]
  readonly joining: { readonly group: string; readonly role: Role } | null
  /** Number of the party's people who sign in by it. */
  readonly linked: number
  /** Addresses of people who have joined and do not. */
  readonly unlinked: readonly string[]
  readonly setBy: string
  readonly setAt: string
}

export interface IdentityProvidersPage {
  readonly providers: readonly IdentityProviderRow[]
  /** Parties whose provider the person may set, by slug; null for people of no party. */
  readonly parties: readonly { readonly party: string | null; readonly name: string }[]
  /** Owners who may keep a password. */
  readonly owners: readonly { readonly email: string; readonly party: string | null }[]
  /** To be entered at the provider, letter by letter. */
  readonly redirectAddress: string
  readonly logoutAddress: string
}

export interface ProviderTest {
  readonly isGood: boolean
  /** One sentence: the fault, or that all is well. */
  readonly sentence: string
}
