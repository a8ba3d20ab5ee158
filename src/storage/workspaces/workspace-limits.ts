// Limits of a workspace that can be set: the name, the bounds and the default of each. The command line and the operators' page
// use them.
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { type QuotaKind, quotaKinds, quotaOption } from './quotas.ts'

export type LimitKey = 'rateLimit' | 'workspaceRateLimit' | QuotaKind

/** Changes of limits: `null` goes back to the default, and an absent limit stays. */
export type LimitChanges = Readonly<Partial<Record<LimitKey, number | null>>>

interface LimitRule {
  readonly key: LimitKey
  /** Name in commands, refusals and the activity: `max-series`. */
  readonly name: string
  readonly help: string
  readonly column: string
  readonly least: number
  readonly highest: number
}

const quotaHelp: Readonly<Record<QuotaKind, string>> = {
  agreements: 'agreements',
  series: 'series, its own and followed ones together',
  keys: 'live keys',
  vintages: 'vintages',
  people: 'people',
  uploads: 'files of it that one server reads at the same time',
  prices: 'items in all versions of its price lists, and declared quantities',
  lines: 'invoice lines that it keeps',
}

export const limitRules: readonly LimitRule[] = [
  {
    key: 'rateLimit',
    name: 'rate-limit',
    help: 'requests per minute and key',
    column: 'rate_limit',
    least: 1,
    highest: limits.highestRequestsPerMinute,
  },
  {
    key: 'workspaceRateLimit',
    name: 'workspace-rate-limit',
    help: `requests per minute of all its keys; by default ${limits.workspaceRateFactor} times those of one`,
    column: 'workspace_rate_limit',
    least: 1,
    highest: limits.highestWorkspaceRequestsPerMinute,
  },
  ...quotaKinds.map(kind => ({
    key: kind,
    name: quotaOption(kind),
    help: `${quotaHelp[kind]}; by default ${limits.quotas[kind]}`,
    column: `max_${kind}`,
    least: 0,
    highest: limits.highestQuota,
  })),
]

/** The limit that was set, or so many times the limit of one key. */
export function workspaceRateLimitOf(set: {
  readonly rateLimit: number
  readonly workspaceRateLimit: number | null
}): number {
  return set.workspaceRateLimit ?? set.rateLimit * limits.workspaceRateFactor
}

/** Columns that the changes write. Refuses values out of bounds: all of them are set or none. */
export function columnsOf(changes: LimitChanges): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    changed(changes).map(([rule, value]) => {
      if (value !== null) checkWhole(rule.name, value, rule.least, rule.highest)
      return [rule.column, storedOf(rule, value)]
    }),
  )
}

/** Stored value: each key has a limit of its own written down, the default too. */
function storedOf({ key }: LimitRule, value: number | null): number | null {
  return key === 'rateLimit' ? (value ?? limits.requestsPerMinute) : value
}

/** Words for the activity: each limit with its new value. Given the values `before`, only changed ones. */
export function formatLimits(changes: LimitChanges, before: Readonly<Record<string, unknown>> | null = null): string[] {
  return changed(changes).flatMap(([rule, value]) =>
    before !== null && before[rule.column] === storedOf(rule, value)
      ? []
      : [`${rule.name} set to ${value ?? 'default'}`],
  )
}

function changed(changes: LimitChanges): [LimitRule, number | null][] {
  return limitRules.flatMap(rule => {
    const value = changes[rule.key]
    return value === undefined ? [] : [[rule, value] as [LimitRule, number | null]]
  })
}

export function checkWhole(what: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Refusal('invalid', `${what} must be a whole number from ${least} to ${most}, got ${value}`)
}
