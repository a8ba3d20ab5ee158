// Words of commands for an identity provider.
import { type Config, publicUrlOf } from '../../config.ts'
import { type IdentityProvider, nameOf } from '../../storage/identity/providers.ts'
import { listMembers } from '../../storage/people/people.ts'
import type { Sql } from '../../storage/postgres/database.ts'

export const partySpec = {
  type: 'string',
  value: 'P',
  help: 'the party, by its slug; default: the people of the workspace who belong to no party',
} as const

interface ShownProvider extends Omit<IdentityProvider, 'workspaceId' | 'id' | 'wayIn' | 'exceptPerson'> {
  /** Address that people open to sign in by it. */
  readonly address: string
  readonly except: string | null
}

export async function showProvider(
  sql: Sql,
  config: Config,
  { workspaceId, id: _id, wayIn, exceptPerson, ...provider }: IdentityProvider,
): Promise<ShownProvider> {
  const members = exceptPerson === null ? [] : await listMembers(sql, workspaceId)
  const except = members.find(({ id }) => id === exceptPerson)?.email ?? null
  return { ...provider, address: `${publicUrlOf(config)}/sign-in?by=${wayIn}`, except }
}

export function wordsOf(provider: ShownProvider): readonly string[] {
  const { party, issuer, clientId, address, isRequired, except, groupsClaim, groups, joining } = provider
  const exception = except === null ? '' : `; ${except} keeps a password`
  return [
    `${nameOf(party)}: by ${issuer} as ${clientId}, ${isRequired ? `required${exception}` : 'or by password'}`,
    `  sign in at ${address}`,
    ...groups.map(({ group, role }) => `  ${groupsClaim} has "${group}": ${role}`),
    ...(joining === null
      ? []
      : [`  ${groupsClaim} has "${joining.group}": joins without an invitation, as ${joining.role}`]),
  ]
}
