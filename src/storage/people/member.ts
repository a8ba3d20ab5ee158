// People and their place in workspaces, as data.
import type { Role } from '../../core/roles.ts'
import type { Instant } from '../../core/time/instant.ts'

export interface Member {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** The slug of the company they belong to; see parties.ts. */
  readonly company: string | null
  /** Whether a document that names their address, or nobody, means them; see confirmed-people.ts. */
  readonly isNameable: boolean
}

/** Somebody who was just invited. */
export type Invitee = Omit<Member, 'isNameable'>

/** The state of a member of a workspace, for its owners. */
export interface MemberState extends Member {
  readonly hasJoined: boolean
  /** Last visit to this workspace. */
  readonly lastSeenAt: Instant | null
  /** Maker of the link that counts. */
  readonly invitedBy: string
  readonly invitedAt: Instant
  /** Address of the inviting person; `null` at the machine itself. */
  readonly invitedFrom: string | null
  readonly joinedAt: Instant | null
  readonly joinedFrom: string | null
}

export interface Membership {
  readonly workspaceId: string
  readonly slug: string
  readonly name: string
  readonly role: Role
}

export interface SignIn {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string
}
