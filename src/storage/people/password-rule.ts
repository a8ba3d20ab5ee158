// Whether somebody may have a password at all: not where their party requires its identity provider, but for the one owner who is
// excepted. A requirement in the access log stays, also where the row is gone.
import { Refusal } from '../../core/refusal.ts'
import { loadSaid } from '../log/access-log.ts'
import type { Queryable } from '../postgres/database.ts'
import type { Member } from './member.ts'

export async function refusePassword(
  sql: Queryable,
  workspaceId: string,
  { id, company }: Pick<Member, 'id' | 'company'>,
): Promise<void> {
  const said = await loadSaid(sql, 'provider', workspaceId, company ?? '')
  if (said?.is_required !== true || said.except_person === id) return
  const whose = company === null ? 'people of the workspace' : `people of ${company}`
  throw new Refusal(
    'forbidden',
    `${whose} have no password: they sign in by ${said.issuer}. An operator changes that with assize sso set or assize sso remove`,
  )
}
