// A command on one workspace: `--workspace` is its option, the installation is opened for it and always closed, and its result is
// printed in words, or with --json as a value.
import type { Config } from '../../config.ts'
import type { Sql } from '../../storage/postgres/database.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'
import type { Workspace } from '../../storage/workspaces/workspaces.ts'
import type { Command, Done, Invocation } from './command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from './installation.ts'

export interface WorkspaceContext {
  readonly invocation: Invocation
  readonly installation: Installation
  readonly config: Config
  readonly sql: Sql
  readonly workspace: Workspace
}

interface Definition<P> extends Pick<Command, 'name' | 'usage' | 'summary' | 'heap'> {
  /** Options besides `--workspace`. */
  readonly options?: Command['options']
  /** Number of arguments, or the least and the most; none by default. */
  readonly positionals?: number | readonly [least: number, most: number]
  /** Reads the arguments before anything is opened; a number ends the command with that exit status. */
  readonly prepare: (invocation: Invocation) => P | Promise<P>
  readonly work: (ground: WorkspaceContext, prepared: Exclude<P, number>) => Promise<Done>
}

export function workspaceCommand(definition: Omit<Definition<null>, 'prepare'>): Command {
  return preparedCommand({ ...definition, prepare: () => null })
}

export function preparedCommand<P>(definition: Definition<P>): Command {
  const { options, positionals = 0, prepare, work, ...rest } = definition
  const [least, most] = typeof positionals === 'number' ? [positionals, positionals] : positionals
  return {
    ...rest,
    options: { workspace: workspaceSpec, ...options },
    positionals: { least, most },
    run: async invocation => {
      const prepared = await prepare(invocation)
      if (typeof prepared === 'number') return prepared
      return withInstallation(invocation, async (installation, config) => {
        const workspace = await workspaceOption(installation, invocation)
        return work(
          { invocation, installation, config, sql: installation.sql, workspace },
          prepared as Exclude<P, number>,
        )
      })
    },
  }
}
