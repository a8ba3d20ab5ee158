// The setup that commands on an installation share: the configuration, checked as a whole; the database, opened and always
// closed; the chosen workspace. A running server may use the same data at the same time.
import { type Config, readConfig } from '../../config.ts'
import { Refusal } from '../../core/refusal.ts'
import { publicScope, type Sql } from '../../storage/postgres/database.ts'
import { Installation } from '../../storage/upkeep/installation.ts'
import { listWorkspaces, type Workspace } from '../../storage/workspaces/workspaces.ts'
import { type Done, finish, type Invocation, Misuse, textOption } from './command.ts'

/** Two pools of a few connections each: a command does one thing at a time. */
const connections = 4

/** The configuration, or `null` after printing its mistakes, one line each. */
export function configOf({ terminal }: Invocation): Config | null {
  const { config, mistakes } = readConfig(terminal.env)
  for (const mistake of mistakes) terminal.err(`assize: ${mistake}\n`)
  return config
}

/** Runs `work` on the installation that the environment names, prints its result and returns the exit status. */
export async function withInstallation(
  invocation: Invocation,
  work: (installation: Installation, config: Config) => Promise<Done>,
): Promise<number> {
  const config = configOf(invocation)
  if (config === null) return 1
  const { dataFolder, databaseUrl, databaseDirectUrl, secrets } = config
  const installation = await Installation.open({ dataFolder, databaseUrl, databaseDirectUrl, secrets, connections })
  try {
    return finish(invocation, await work(installation, config))
  } finally {
    await installation.close()
  }
}

/** The workspace of `--workspace`. */
export function workspaceOption(installation: Installation, invocation: Invocation): Promise<Workspace> {
  const slug = textOption(invocation, 'workspace')
  if (slug === null) throw new Misuse('--workspace is missing: name the workspace')
  return findWorkspace(installation, slug)
}

/** Finds a workspace by slug or id; a refusal lists the existing ones. */
export async function findWorkspace(installation: Installation, wanted: string): Promise<Workspace> {
  const workspaces = await listWorkspaces(installation.owner)
  const found = workspaces.find(({ slug, id }) => slug === wanted || id === wanted)
  if (found !== undefined) return found
  const known = workspaces.length === 0 ? 'there is none yet' : `known are ${nameSome(workspaces)}`
  throw new Refusal('not-found', `there is no workspace "${wanted}"; ${known}`)
}

const mostNamed = 20

function nameSome(workspaces: readonly Workspace[]): string {
  const names = workspaces.slice(0, mostNamed).map(({ slug }) => slug)
  const more = workspaces.length - names.length
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`
}

/** The name of a scope for people: a workspace by its slug. */
export async function scopeNames(owner: Sql): Promise<(scope: string) => string> {
  const slugs = new Map((await listWorkspaces(owner)).map(({ id, slug }) => [id, slug]))
  return scope => (scope === publicScope ? 'public series' : (slugs.get(scope) ?? scope))
}

/** The option that every command on one workspace has. */
export const workspaceSpec = { type: 'string', value: 'W', help: 'the workspace, by its slug' } as const
