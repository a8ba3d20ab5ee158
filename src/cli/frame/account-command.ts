// Shared part of commands on one person's account: an e-mail address and, because an address may have several accounts, a
// workspace to tell them apart.

import { readEmail } from '../../storage/people/people.ts'
import type { Sql } from '../../storage/postgres/database.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'
import { findWorkspace } from '../../storage/workspaces/workspaces.ts'
import { type Invocation, textOption, type Words } from './command.ts'
import { withInstallation } from './installation.ts'
import { actorOf, actorSpec } from './operator.ts'

export const accountOptions = {
  workspace: {
    type: 'string',
    value: 'W',
    help: 'one of their workspaces, if the address has several accounts',
  },
  as: actorSpec,
} as const

interface Account {
  readonly email: string
  readonly by: string
  /** Id of the named workspace; `null` if none was named. */
  readonly workspaceId: string | null
}

/** Opens the installation, does `work` on the named account, and prints what was done. */
export async function onAccount(
  invocation: Invocation,
  work: (installation: Installation, account: Account) => Promise<{ readonly json: object; readonly words: Words }>,
): Promise<number> {
  const email = readEmail(invocation.positionals[0]!)
  const by = actorOf(invocation)
  return withInstallation(invocation, async installation => {
    const workspaceId = await accountWorkspace(installation.owner, invocation)
    const { json, words } = await work(installation, { email, by, workspaceId })
    return { json, words }
  })
}

export async function accountWorkspace(owner: Sql, invocation: Invocation): Promise<string | null> {
  const slug = textOption(invocation, 'workspace')
  return slug === null ? null : (await findWorkspace(owner, slug)).id
}
