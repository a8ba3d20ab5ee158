// `workspace set`: changes a workspace's name, its limits of requests and what it may hold.
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'
import { noteOperator } from '../storage/activity.ts'
import { type QuotaKind, quotaKinds, readQuotas } from '../storage/quotas.ts'
import {
  checkName,
  readWorkspace,
  renameWorkspace,
  setWorkspace,
  type WorkspaceSettings,
} from '../storage/workspaces.ts'
import { type Command, type Invocation, Misuse, type OptionSpec, textOption, writeJson } from './command.ts'
import { findWorkspace, withInstallation } from './installation.ts'
import { actorOf, actorSpec } from './operator.ts'
import { workspaceLines } from './workspace-show.ts'

const quotaHelp: Readonly<Record<QuotaKind, string>> = {
  formulas: 'formulas',
  series: 'series, its own and followed ones together',
  keys: 'live keys',
  vintages: 'vintages',
  people: 'people',
  uploads: 'files of it that one server reads at the same time',
}

const quotaOptions: Readonly<Record<string, OptionSpec>> = Object.fromEntries(
  quotaKinds.map(kind => [
    `max-${kind}`,
    { type: 'string', value: 'N', help: `${quotaHelp[kind]}; by default ${limits.quotas[kind]}` },
  ]),
)

export const workspaceSetCommand: Command = {
  name: 'workspace set',
  usage: '<slug> [--name N] [--rate-limit N] [--workspace-rate-limit N] [--max-formulas N] …',
  summary: 'Changes a workspace. The word default in place of a number takes a limit back to its default.',
  options: {
    name: { type: 'string', value: 'N', help: 'the name people see' },
    'rate-limit': { type: 'string', value: 'N', help: 'requests per minute and key' },
    'workspace-rate-limit': {
      type: 'string',
      value: 'N',
      help: `requests per minute of all its keys; by default ${limits.workspaceRateFactor} times those of one`,
    },
    ...quotaOptions,
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const who = actorOf(invocation)
    const settings = readSettings(invocation)
    const name = textOption(invocation, 'name')
    if (name === null && Object.keys(settings).length === 0)
      throw new Misuse('nothing is to be changed; see assize workspace set --help')
    return withInstallation(invocation, async installation => {
      const { owner, sql } = installation
      const { id } = await findWorkspace(installation, invocation.positionals[0]!)
      if (name !== null) checkName(name)
      await setWorkspace(owner, id, settings)
      if (name !== null) await renameWorkspace(sql, id, name, { who, fromAddress: null })
      const workspace = await readWorkspace(sql, id)
      const deeds = describe(invocation).map(what => ({ who, what, subject: workspace.slug }))
      await noteOperator(sql, id, deeds)
      const { quotas } = await readQuotas(owner, id)
      if (invocation.json) writeJson(invocation, { ...workspace, quotas })
      else invocation.terminal.out(workspaceLines({ ...workspace, quotas }))
      return 0
    })
  },
}

function readSettings(invocation: Invocation): WorkspaceSettings {
  const number = (option: string) => {
    const text = textOption(invocation, option)
    return text === null ? undefined : readLimit(option, text)
  }
  const [rateLimit, workspaceRateLimit] = [number('rate-limit'), number('workspace-rate-limit')]
  const quotas = Object.fromEntries(
    quotaKinds.flatMap(kind => {
      const most = number(`max-${kind}`)
      return most === undefined ? [] : [[kind, most]]
    }),
  )
  return {
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(workspaceRateLimit === undefined ? {} : { workspaceRateLimit }),
    ...(Object.keys(quotas).length === 0 ? {} : { quotas }),
  }
}

/** `null` for the default. */
function readLimit(option: string, text: string): number | null {
  if (text === 'default') return null
  if (!/^\d{1,15}$/.test(text))
    throw new Refusal('invalid', `--${option} must be a whole number or the word default, got "${text}"`)
  return Number.parseInt(text, 10)
}

/** For the activity: what was set to what. A new name is noted where it is given. */
function describe(invocation: Invocation): string[] {
  return Object.keys(workspaceSetCommand.options).flatMap(option => {
    const text = option === 'as' || option === 'name' ? null : textOption(invocation, option)
    return text === null ? [] : [`${option} set to ${text}`]
  })
}
