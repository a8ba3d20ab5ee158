// The seat: person, workspace and rights of somebody who looks at something or changes it.

import type { Role } from '../../core/roles.ts'
import type { Actor } from '../../storage/workspaces/activity.ts'

/** Person and workspace of a request. */
export interface Seat {
  readonly sessionId: string
  readonly person: { readonly id: string; readonly email: string; readonly name: string }
  readonly workspace: { readonly id: string; readonly slug: string; readonly name: string }
  readonly role: Role
  /** Slug of the company they belong to here. */
  readonly company: string | null
  /** See `Member`. */
  readonly isNameable: boolean
  /** Whether they operate the installation, whatever their role in the workspace. */
  readonly isOperator: boolean
  readonly fromAddress: string
}

/** The name under which a change is recorded. */
export function actorOf({ person, fromAddress }: Seat): Actor {
  return { who: person.email, personId: person.id, fromAddress }
}
