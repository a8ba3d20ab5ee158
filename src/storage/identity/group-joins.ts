// Joining a workspace without an invitation, because the provider of a party says that somebody is in a group that may. The
// account is a new one. Its e-mail address comes from the provider, and opens nothing: an address that anybody here has, had, or
// is named by in an agreement is refused.
import { Refusal } from '../../core/refusal.ts'
import { recordsAccess } from '../log/access-log.ts'
import { appending } from '../log/append.ts'
import { isNamed } from '../people/company-people.ts'
import { putIntoCompany } from '../people/parties.ts'
import { lockedHash } from '../people/password.ts'
import { admit, readEmail } from '../people/people.ts'
import { appendPeopleEvent } from '../people/people-events.ts'
import { loadSignInGround } from '../people/sign-ins.ts'
import type { Sql, Transaction } from '../postgres/database.ts'
import { noteActivity } from '../workspaces/activity.ts'
import { addLink } from './links.ts'
import type { IdentityProvider } from './providers.ts'

interface Joining {
  readonly subject: string
  readonly email: string
  readonly name: string | null
  readonly fromAddress: string
}

export async function joinByGroup(
  sql: Sql,
  provider: IdentityProvider,
  { subject, name, fromAddress, ...given }: Joining,
): Promise<void> {
  const { workspaceId, party, issuer } = provider
  const { group, role } = provider.joining!
  const email = readEmail(given.email)
  const { salts: seen } = await loadSignInGround(sql, email, '')
  await appending(sql, workspaceId, async (tx, log) => {
    recordsAccess(tx)
    await refuseTaken(tx, workspaceId, email)
    await putIntoCompany(tx, log, email, party)
    const newcomer = { email, role, company: party, ...(name === null ? {} : { name }) }
    const { id } = await admit(tx, workspaceId, newcomer, { who: issuer, fromAddress })
    const [row] = await tx<{ id: string | null }[]>`
      select join_here(${id}, null, ${lockedHash(seen)}, ${[...seen]}) as id`
    if (row?.id == null) throw taken(email)
    await noteActivity(tx, workspaceId, {
      who: email,
      personId: id,
      act: 'person.join',
      what: `joined the workspace by the group ${group}`,
      subject: email,
      fromAddress,
    })
    const acting = { by: email, personId: id, role, company: party }
    const facts = { identity: { issuer, subject, group } }
    await appendPeopleEvent(tx, log, acting, { kind: 'JOINED', email, personId: id, party, facts })
    await addLink(tx, log, provider, subject, id)
  })
}

async function refuseTaken(tx: Transaction, workspaceId: string, email: string): Promise<void> {
  const [known] = await tx`
    select 1 from member m join person p on p.id = m.person_id
    where m.workspace_id = ${workspaceId} and lower(p.email) = ${email}
    union all select 1 from people_event e where e.workspace_id = ${workspaceId} and e.email = ${email}
    union all select 1 from party_member n where n.workspace_id = ${workspaceId} and n.email = ${email} limit 1`
  if (known !== undefined || (await isNamed(tx, workspaceId, email))) throw taken(email)
}

function taken(email: string): Refusal {
  return new Refusal(
    'conflict',
    `${email} is known here already, and an address alone lets nobody in: ask an owner for the link of an invitation`,
  )
}
