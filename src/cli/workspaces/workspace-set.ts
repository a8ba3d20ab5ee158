// `workspace set`: changes a workspace's name, request limits and quotas.

import { compare, hundred, ratio, zero } from '../../core/numbers/ratio.ts'
import { isDecimal } from '../../core/series/observation-table.ts'
import { noteOperator } from '../../storage/workspaces/activity.ts'
import { loadQuotas } from '../../storage/workspaces/quotas.ts'
import { formatLimits, type LimitChanges, limitRules } from '../../storage/workspaces/workspace-limits.ts'
import {
  loadWorkspace,
  readWorkspaceName,
  renameWorkspace,
  setPriceTolerance,
  setWorkspace,
} from '../../storage/workspaces/workspaces.ts'
import { type Command, type Invocation, Misuse, type OptionSpec, textOption } from '../frame/command.ts'
import { findWorkspace, withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { workspaceLines } from './workspace-show.ts'

const limitOptions: Readonly<Record<string, OptionSpec>> = Object.fromEntries(
  limitRules.map(({ name, help }) => [name, { type: 'string', value: 'N', help }]),
)

export const workspaceSetCommand: Command = {
  name: 'workspace set',
  usage: '<slug> [--name N] [--rate-limit N] [--workspace-rate-limit N] [--max-formulas N] …',
  summary: 'Changes a workspace. The word default instead of a number resets a limit.',
  options: {
    name: { type: 'string', value: 'N', help: 'the name people see' },
    ...limitOptions,
    'price-tolerance': {
      type: 'string',
      value: 'PCT',
      help: 'percent of our amount by which invoice lines may differ; by default nothing is tolerated',
    },
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const who = actorOf(invocation)
    const changes = readChanges(invocation)
    const name = textOption(invocation, 'name')
    const tolerance = readTolerance(invocation)
    if (name === null && Object.keys(changes).length === 0 && tolerance === undefined)
      throw new Misuse('nothing to change; see assize workspace set --help')
    return withInstallation(invocation, async installation => {
      const { owner, sql } = installation
      const { id } = await findWorkspace(installation, invocation.positionals[0]!)
      if (name !== null) readWorkspaceName(name)
      await setWorkspace(owner, id, changes)
      if (tolerance !== undefined) await setPriceTolerance(owner, id, tolerance)
      if (name !== null) await renameWorkspace(sql, id, name, { who, fromAddress: null })
      const workspace = await loadWorkspace(sql, id)
      const set = tolerance === undefined ? [] : [`price-tolerance set to ${tolerance ?? 'default'}`]
      const actions = [...formatLimits(changes), ...set].map(what => ({
        who,
        act: 'workspace.change' as const,
        what,
        subject: workspace.slug,
      }))
      await noteOperator(sql, id, actions)
      const { quotas } = await loadQuotas(owner, id)
      return { json: { ...workspace, quotas }, words: workspaceLines({ ...workspace, quotas }) }
    })
  },
}

function readChanges(invocation: Invocation): LimitChanges {
  return Object.fromEntries(
    limitRules.flatMap(({ key, name }) => {
      const text = textOption(invocation, name)
      return text === null ? [] : [[key, readLimit(name, text)]]
    }),
  )
}

/** Limit; `null` for the default. */
function readLimit(option: string, text: string): number | null {
  if (text === 'default') return null
  if (!/^\d{1,15}$/.test(text))
    throw new Misuse(`--${option} must be a whole number or the word default, got "${text}"`)
  return Number.parseInt(text, 10)
}

/** Tolerance; `null` for the default, which is none. */
function readTolerance(invocation: Invocation): string | null | undefined {
  const text = textOption(invocation, 'price-tolerance')
  if (text === null) return undefined
  if (text === 'default') return null
  const isGood =
    text.length <= 20 && isDecimal(text) && compare(ratio(text), zero) >= 0 && compare(ratio(text), hundred) <= 0
  if (!isGood)
    throw new Misuse(`--price-tolerance must be a percentage from 0 to 100 or the word default, got "${text}"`)
  return text.replace(/^\+/, '')
}
