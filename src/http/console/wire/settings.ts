// The wire of the console: keys, people, the workspace and what was done in it. All paths are behind
// `/console/w/:workspace`. Keys: owner and editor. People and the workspace's name: owner. Activity and the check of the
// chains: all but suppliers.
import type { Role } from './session.ts'

/** `GET /keys` */
export interface KeyRow {
  readonly id: string
  readonly name: string
  readonly lastFour: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
  /** By the database's clock. */
  readonly state: 'live' | 'expired' | 'revoked'
}

/** `POST /keys`: 201 with the key in clear, once. */
export interface KeyQuestion {
  readonly name: string
  readonly expiresAt: string | null
}

export interface IssuedKey {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly expiresAt: string | null
}

/** `POST /keys/:id/rotate`: 201 with the new key; the old one goes on for the overlap. `DELETE /keys/:id` revokes: 204. */
export interface RotateQuestion {
  readonly overlapHours: number
}

/** `GET /people` */
export interface PersonRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly isMe: boolean
  /** Has opened their link; before that the workspace is closed to them. */
  readonly hasJoined: boolean
  readonly lastSeenAt: string | null
  /** Who gave them the link they joined by or wait with, when and from where; and from where they joined. */
  readonly invitedBy: string | null
  readonly invitedAt: string
  readonly invitedFrom: string | null
  readonly joinedAt: string | null
  readonly joinedFrom: string | null
}

/** `POST /people`: 201. `PATCH /people/:id` with a role; `DELETE /people/:id` takes them out. The last owner stays. */
export interface InviteQuestion {
  readonly email: string
  readonly name: string
  readonly role: Role
}

export interface Invited {
  readonly person: PersonRow
  /** The one-time link, shown once. */
  readonly link: string | null
  readonly expiresAt: string | null
}

/** `POST /people/:id/link`: 201 with a new one-time link, for who has not joined yet. */
export interface RoleQuestion {
  readonly role: Role
}

/** `GET /workspace`; `PATCH /workspace` with a name. */
export interface WorkspacePage {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Requests a minute for each key, and for all keys together. */
  readonly rateLimit: number
  readonly workspaceRateLimit: number
  readonly createdAt: string
  readonly quotas: readonly QuotaView[]
}

/** What the workspace may have at most, and has. Whoever runs the server sets it. */
export interface QuotaView {
  readonly kind: 'formulas' | 'series' | 'keys' | 'vintages' | 'people' | 'uploads'
  readonly most: number
  readonly isDefault: boolean
  /** Null for files that are read at the same time: each server counts its own. */
  readonly used: number | null
}

/** `GET /activity?before=ID`: 50 at a time, the newest first. */
export interface ActivityPage {
  readonly rows: readonly {
    readonly id: string
    readonly at: string
    readonly who: string
    readonly what: string
    readonly subject: string
    readonly fromAddress: string | null
  }[]
  readonly next: string | null
}

/** `POST /chain/verify`: walks the chains of this workspace and of the public series. */
export interface ChainReport {
  readonly chains: readonly {
    readonly scope: 'workspace' | 'public'
    readonly publications: number
    readonly isWhole: boolean
    /** In words where it is not. */
    readonly problem: string | null
    readonly head: string | null
  }[]
}
