// Which account of an address a command is about: an address may have several, and a workspace tells them apart.
import type { Sql } from '../storage/database.ts'
import { findWorkspace } from '../storage/workspaces.ts'
import { type Invocation, textOption } from './command.ts'

export const accountSpec = {
  type: 'string',
  value: 'W',
  help: 'a workspace of theirs, where the address has several accounts',
} as const

/** The id of the workspace that was named; `null` where none was. */
export async function accountWorkspace(owner: Sql, invocation: Invocation): Promise<string | null> {
  const slug = textOption(invocation, 'workspace')
  return slug === null ? null : (await findWorkspace(owner, slug)).id
}
