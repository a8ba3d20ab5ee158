// `workspace create`: a new workspace, with the name people see and its request limit.
import { limits } from '../../limits.ts'
import { noteOperator } from '../../storage/workspaces/activity.ts'
import { createWorkspace } from '../../storage/workspaces/workspaces.ts'
import { type Command, Misuse, textOption } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'

export const workspaceCreateCommand: Command = {
  name: 'workspace create',
  usage: '<slug> [--name N] [--rate-limit 60]',
  summary: 'Creates a workspace. Its slug names it in commands.',
  options: {
    name: { type: 'string', value: 'N', help: 'the name people see; default: the slug' },
    'rate-limit': {
      type: 'string',
      value: 'R',
      help: `requests per minute and key; default: ${limits.requestsPerMinute}`,
    },
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const name = textOption(invocation, 'name')
    const who = actorOf(invocation)
    const rateLimit = readRateLimit(textOption(invocation, 'rate-limit'))
    return withInstallation(invocation, async ({ owner, sql }) => {
      const workspace = await createWorkspace(owner, {
        slug: invocation.positionals[0]!,
        ...(name === null ? {} : { name }),
        rateLimit,
      })
      await noteOperator(sql, workspace.id, [
        { who, act: 'workspace.create', what: 'workspace created', subject: workspace.slug },
      ])
      return { json: workspace, words: `created workspace ${workspace.slug} (${workspace.id})\n` }
    })
  },
}

function readRateLimit(text: string | null): number {
  if (text === null) return limits.requestsPerMinute
  const most = limits.highestRequestsPerMinute
  const value = /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : 0
  if (value < 1 || value > most)
    throw new Misuse(`--rate-limit must be a whole number from 1 to ${most}, got "${text}"`)
  return value
}
