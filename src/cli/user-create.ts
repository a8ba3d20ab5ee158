// `user create`: takes a person into a workspace. Their first password comes from standard input, or they set it
// themselves with a one-time link. Nobody's existing password is ever changed here.
import process from 'node:process'
import type { Config } from '../config.ts'
import { parseInstant } from '../core/instant.ts'
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'
import type { Installation } from '../storage/installation.ts'
import {
  createMember,
  findMember,
  findSignIn,
  issueSetUpLink,
  type Member,
  type Role,
  readEmail,
  roles,
  setFirstPassword,
} from '../storage/people.ts'
import { type Command, textOption, writeJson } from './command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from './installation.ts'

export const userCreateCommand: Command = {
  name: 'user create',
  usage: '<email> --workspace W --role R [--name N] [--password-stdin]',
  summary: 'Takes a person into a workspace. Prints a one-time set-up link where no password is given.',
  options: {
    workspace: workspaceSpec,
    role: { type: 'string', value: 'R', help: `${roles.slice(0, -1).join(', ')} or ${roles.at(-1)}` },
    name: { type: 'string', value: 'N', help: 'the name others see; without it, what stands before the @' },
    'password-stdin': { type: 'boolean', help: 'reads the first password from standard input' },
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const email = readEmail(invocation.positionals[0]!)
    const role = readRole(textOption(invocation, 'role'))
    const name = textOption(invocation, 'name')
    const password = invocation.options['password-stdin'] === true ? await readPassword() : null
    return withInstallation(invocation, async (installation, config) => {
      const workspace = await workspaceOption(installation, invocation)
      const member = await admit(installation, workspace.id, { email, role, name }, password !== null)
      const expiresAt = inHours(limits.setUpLinkHours)
      const token =
        password === null ? await issueSetUpLink(installation.sql, workspace.id, member.id, expiresAt) : null
      if (password !== null) await setFirstPassword(installation.sql, workspace.id, member.id, password)
      const setUpLink = token === null ? null : setUpAddress(config, token)
      if (invocation.json) {
        const link = { setUpLink, expiresAt: setUpLink === null ? null : expiresAt }
        writeJson(invocation, { ...member, workspace: workspace.slug, ...link })
        return 0
      }
      invocation.terminal.out(`${member.email} is in ${workspace.slug} as ${member.role}\n`)
      if (setUpLink !== null)
        invocation.terminal.out(`${setUpLink}\nopens once, until ${expiresAt}: pass it on to set the password\n`)
      else if (password === null) invocation.terminal.out('they sign in with the password they have\n')
      return 0
    })
  },
}

function readRole(text: string | null): Role {
  const role = roles.find(candidate => candidate === text)
  if (role === undefined)
    throw new Refusal('invalid', `--role must be ${roles.join(', ')}, got ${text === null ? 'none' : `"${text}"`}`)
  return role
}

/** A line, without its end. Checked before anybody is admitted, so that nobody stays behind half made. */
async function readPassword(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk
    if (text.length > limits.maximumPasswordLength * 2) break
  }
  const password = text.replace(/\r?\n$/, '')
  const { minimumPasswordLength: least, maximumPasswordLength: most } = limits
  if (password.length < least || password.length > most)
    throw new Refusal('invalid', `a password must have ${least} to ${most} characters, got ${password.length}`)
  return password
}

interface Newcomer {
  readonly email: string
  readonly role: Role
  readonly name: string | null
}

/** Somebody who is there already, in the same role and still without a password, is given a new link. */
async function admit(
  { sql }: Installation,
  workspaceId: string,
  { email, role, name }: Newcomer,
  bringsPassword: boolean,
): Promise<Member> {
  const known = await findSignIn(sql, email)
  const hasPassword = known !== null && known.passwordHash !== null
  if (hasPassword && bringsPassword)
    throw new Refusal('conflict', `${email} has a password already, which stays; leave --password-stdin away`)
  const member = await findMember(sql, workspaceId, email)
  if (member !== null && member.role === role && !hasPassword) return member
  if (member !== null) throw new Refusal('conflict', `${email} is in this workspace already, as ${member.role}`)
  return createMember(sql, workspaceId, { email, role, ...(name === null ? {} : { name }) })
}

function inHours(hours: number): string {
  return parseInstant(new Date(Date.now() + hours * 3_600_000).toISOString())!
}

/** The token stands behind a `#`: a browser keeps that part to itself, so it is in no log on the way. */
export function setUpAddress({ host, port }: Pick<Config, 'host' | 'port'>, token: string): string {
  const name = host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}/set-up#${token}`
}
