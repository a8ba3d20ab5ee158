// `user create`: adds a person to a workspace. Their first password comes from standard input, or they set it themselves
// with a one-time link; a person with an account from another workspace may join with its password. An existing password is
// never changed here.

import { type Config, publicUrlOf } from '../../config.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Role, roles } from '../../core/roles.ts'
import { parseInstant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { LinkNotices } from '../../mail/link-notices.ts'
import type { Invitee } from '../../storage/people/member.ts'
import {
  createMember,
  findMember,
  findSignIns,
  issueSetUpLink,
  listMemberStates,
  readEmail,
  recordAboutPerson,
  setFirstPassword,
} from '../../storage/people/people.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'
import { noteOperator } from '../../storage/workspaces/activity.ts'
import { type Command, Misuse, printJson, textOption } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { readPassword } from '../frame/password-input.ts'

export const userCreateCommand: Command = {
  name: 'user create',
  usage: '<email> --workspace W --role R [--party P] [--name N] [--password-stdin]',
  summary: 'Adds a person to a workspace. Prints a one-time set-up link if no password is given.',
  options: {
    workspace: workspaceSpec,
    role: { type: 'string', value: 'R', help: `${roles.slice(0, -1).join(', ')} or ${roles.at(-1)}` },
    party: { type: 'string', value: 'P', help: 'the company they belong to, by its slug; see assize party list' },
    name: { type: 'string', value: 'N', help: 'the name others see; default: the part before the @' },
    'password-stdin': { type: 'boolean', help: 'reads the first password from standard input' },
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const email = readEmail(invocation.positionals[0]!)
    const who = actorOf(invocation)
    const role = readRole(textOption(invocation, 'role'))
    const name = textOption(invocation, 'name')
    const company = textOption(invocation, 'party')
    const password = invocation.options['password-stdin'] === true ? await readPassword() : null
    return withInstallation(invocation, async (installation, config) => {
      const workspace = await workspaceOption(installation, invocation)
      const before = await findMember(installation.sql, workspace.id, email)
      const member = await admit(installation, workspace.id, { email, role, name, company }, password !== null, who)
      const expiresAt = inHours(limits.setUpLinkHours)
      const token =
        password === null ? await issueSetUpLink(installation.sql, workspace.id, member.id, expiresAt) : null
      if (before !== null && token !== null) {
        const by = { who, fromAddress: null }
        await recordAboutPerson(installation.sql, workspace.id, by, email, { kind: 'INVITED', facts: { role } })
      }
      const id =
        password === null ? member.id : await setFirstPassword(installation.sql, workspace.id, member.id, password)
      const what =
        before === null
          ? `${token === null ? 'added' : 'invited'} as ${company === null ? role : `${role}, of ${company}`}`
          : `given a ${token === null ? 'first password' : 'new set-up link'}`
      await noteOperator(installation.sql, workspace.id, [{ who, act: 'person.invite', what, subject: email }])
      const setUpLink = token === null ? null : setUpAddress(config, token)
      const whyNotMailed =
        token === null || config.smtp === null
          ? null
          : await withWorkspace(installation.sql, workspace.id, tx =>
              new LinkNotices(installation.ring).add(tx, workspace.id, 'invitation', {
                email,
                token,
                expiresAt,
                by: who,
              }),
            )
      if (invocation.json) {
        const link = { setUpLink, expiresAt: setUpLink === null ? null : expiresAt }
        const { company: party, ...person } = member
        printJson(invocation, { ...person, id, party, workspace: workspace.slug, ...link })
        return 0
      }
      const as = member.company === null ? member.role : `${member.role}, of ${member.company}`
      invocation.terminal.out(`${member.email} is in ${workspace.slug} as ${as}\n`)
      if (setUpLink !== null) {
        invocation.terminal.out([
          setUpLink,
          `works once, until ${expiresAt}: ${config.smtp === null || whyNotMailed !== null ? 'send it to them' : 'the server mails it to them'} to set a password, or to join with their existing one`,
        ])
        if (whyNotMailed !== null) invocation.terminal.out(`${whyNotMailed}\n`)
      }
      return 0
    })
  },
}

function readRole(text: string | null): Role {
  const role = roles.find(candidate => candidate === text)
  if (role === undefined)
    throw new Misuse(`--role must be ${roles.join(', ')}, got ${text === null ? 'none' : `"${text}"`}`)
  return role
}

interface Newcomer {
  readonly email: string
  readonly role: Role
  readonly name: string | null
  readonly company: string | null
}

/** A person who is already invited, in the same role and company, and has not joined yet, gets a new link. */
async function admit(
  { sql }: Installation,
  workspaceId: string,
  { email, role, name, company }: Newcomer,
  bringsPassword: boolean,
  who: string,
): Promise<Invitee> {
  if (bringsPassword && (await findSignIns(sql, email)).length > 0)
    throw new Refusal('conflict', `${email} already has a password, which stays; leave out --password-stdin`)
  const member = (await listMemberStates(sql, workspaceId)).find(each => each.email === email) ?? null
  const isSame = member?.role === role && (company === null || member.company === company)
  if (member !== null && isSame && !member.hasJoined)
    return { id: member.id, email, name: member.name, role, company: member.company }
  if (member !== null) {
    const as = member.company === null ? member.role : `${member.role}, of ${member.company}`
    throw new Refusal('conflict', `${email} is already in this workspace as ${as}`)
  }
  const newcomer = { email, role, company, ...(name === null ? {} : { name }) }
  return createMember(sql, workspaceId, newcomer, { who, fromAddress: null })
}

function inHours(hours: number): string {
  return parseInstant(new Date(Date.now() + hours * 3_600_000).toISOString())!
}

/** The token follows a `#`: a browser does not send that part, so it appears in no log. */
export function setUpAddress(config: Pick<Config, 'publicUrl' | 'host' | 'port'>, token: string): string {
  return `${publicUrlOf(config)}/set-up#${token}`
}
