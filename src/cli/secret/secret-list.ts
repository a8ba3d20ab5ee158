// `secret list`: the server's secrets by their ids, the current one, and what depends on each.
import type { KeyRing } from '../../storage/keys/key-ring.ts'
import { loadRing } from '../../storage/log/ring-state.ts'
import type { Sql } from '../../storage/postgres/database.ts'
import { type Hanging, loadHanging } from '../../storage/rotation/dependents.ts'
import { toTheSecond } from '../frame/clock.ts'
import type { Command, Words } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { countOf } from '../frame/progress.ts'

type SecretState = 'current' | 'new' | 'ended' | 'rotating' | 'removed'

export interface ListedSecret {
  readonly id: string
  readonly state: SecretState
  /** Whether ASSIZE_SECRET, or the file, has it. */
  readonly isListed: boolean
  readonly since: string | null
  readonly endedAt: string | null
  readonly isLeaked: boolean
  readonly hanging: Hanging
}

export const secretListCommand: Command = {
  name: 'secret list',
  usage: '',
  summary:
    'Lists the secrets of the server by their ids, with the time of their use and everything that depends on each.',
  options: {},
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async ({ owner, ring }) => {
      const secrets = await listSecrets(owner, ring)
      return { json: secrets, words: secrets.map(wordsOf) }
    }),
}

export async function listSecrets(owner: Sql, ring: KeyRing): Promise<readonly ListedSecret[]> {
  await loadRing(owner, ring)
  const known = ring.state!.secrets
  const ids = [...new Set([...Object.keys(known), ...ring.ids])]
  const listed: ListedSecret[] = []
  for (const id of ids) {
    const { since = null, endedAt = null, isLeaked = false } = known[id] ?? {}
    listed.push({
      id,
      state: stateOf(ring, id),
      isListed: ring.lists(id),
      since,
      endedAt,
      isLeaked,
      hanging: await loadHanging(owner, id),
    })
  }
  return listed.sort((a, b) => (a.since ?? '~').localeCompare(b.since ?? '~'))
}

function stateOf(ring: KeyRing, id: string): SecretState {
  const { current, turning, secrets } = ring.state!
  if (id === current) return 'current'
  if (id === turning) return 'rotating'
  const facts = secrets[id]
  if (facts === undefined) return 'new'
  return facts.isRemoved ? 'removed' : 'ended'
}

const stateWords: Readonly<Record<SecretState, string>> = {
  current: 'current',
  new: 'not used yet; assize secret rotate makes it the current one',
  ended: 'ended; what only others hold still counts under it',
  rotating: 'ended, and what it sealed is being sealed again; assize secret rotate goes on',
  removed: 'removed',
}

function wordsOf({ id, state, since, endedAt, isLeaked, isListed, hanging }: ListedSecret): Words {
  const from = since === null ? '' : `, since ${toTheSecond(since)}`
  const to = endedAt === null ? '' : ` until ${toTheSecond(endedAt)}`
  const leaked = isLeaked ? ', leaked' : ''
  const missing = isListed || state === 'removed' ? '' : ', not listed'
  return [
    `${id}  ${stateWords[state]}${from}${to}${leaked}${missing}`,
    ...hangingWords(hanging).map(line => `  ${line}`),
  ]
}

/** Data that depends on a secret, a line for each kind. */
export function hangingWords({ sealed, apiKeys, feeds, sessions, recoveryCodes }: Hanging): readonly string[] {
  const lines = [
    [sealed, countOf(sealed, 'seal'), ''],
    [apiKeys.length, countOf(apiKeys.length, 'API key'), apiKeys.map(each => `${each.name} of ${each.workspace}`)],
    [feeds.length, countOf(feeds.length, 'calendar feed'), feeds.map(each => `${each.name} of ${each.workspace}`)],
    [sessions.length, countOf(sessions.length, 'session'), [...new Set(sessions)]],
    [recoveryCodes.length, `recovery codes of ${countOf(recoveryCodes.length, 'person', 'people')}`, recoveryCodes],
  ] as const
  return lines.flatMap(([count, words, names]) => {
    if (count === 0) return []
    return [
      names === '' ? words : `${words}: ${names.slice(0, mostNamed).join(', ')}${names.length > mostNamed ? ' …' : ''}`,
    ]
  })
}

const mostNamed = 50
