// Derived events: things that become true without a log entry: a period that can be computed, a figure that is late, an answer in
// quarantine, a key that ends soon. Each look compares with the facts stored by the last one, the first look with those of the
// moment when the first webhook was made, and tells only new ones.
import { TooHeavyHere } from '../core/numbers/work-budget.ts'
import type { StateEvent } from '../core/people/webhook-events.ts'
import { Refusal } from '../core/refusal.ts'
import { isBy } from '../core/series/vintage.ts'
import { dayOfInstant, type Instant } from '../core/time/instant.ts'
import type { CachedIndex } from '../read/lists/cached-index.ts'
import { unpackFigures } from '../read/lists/open-figures.ts'
import { Slices } from '../read/memory/slices.ts'
import { scopesOf } from '../storage/log/append.ts'
import { withWorkspace } from '../storage/postgres/database.ts'
import { makeIdentifier } from '../storage/postgres/identifier.ts'
import { loadOpenAlarms } from '../storage/series/alarms.ts'
import { loadFollowed } from '../storage/series/follows.ts'
import { listQuarantine } from '../storage/series/quarantine.ts'
import { addDeliveries } from '../storage/webhooks/deliveries.ts'
import { loadUnlookedSince, replaceFacts, type WebhookFact } from '../storage/webhooks/webhook-places.ts'
import { loadWebhooks } from '../storage/webhooks/webhooks.ts'
import { isLive, listApiKeys, listApiKeysAt } from '../storage/workspaces/api-keys.ts'
import { bodyGroundOf, type DeliveryParts, later } from './delivery-parts.ts'
import { deliveryOf, type TellableEvent } from './event-body.ts'
import { webhookLimits } from './webhook-limits.ts'

interface StateFact extends WebhookFact {
  readonly kind: StateEvent
}

/** One look at one workspace. Nothing is concluded while agreements are still being computed. */
export async function lookForEvents(parts: DeliveryParts, workspaceId: string): Promise<number> {
  const { sql, library } = parts
  const now = parts.now()
  // The look includes everything that was recorded.
  await library.changes.catchUp(scopesOf(workspaceId))
  const index = await library.index(workspaceId)
  const computable = await readComputable(parts, workspaceId, index, now)
  if (computable === null) return 0
  const facts = [...computable, ...(await readOthers(parts, workspaceId, now, null))]
  const cut = await withWorkspace(sql, workspaceId, tx => loadUnlookedSince(tx, workspaceId))
  const first =
    cut === null
      ? []
      : [
          ...(await readComputableAt(parts, workspaceId, index, computable, cut)),
          ...(await readOthers(parts, workspaceId, cut, cut)),
        ]
  const ground = await bodyGroundOf(parts, workspaceId)
  return withWorkspace(sql, workspaceId, async tx => {
    const news = (await replaceFacts(tx, workspaceId, { facts, first, now })) as readonly StateFact[]
    const webhooks = await loadWebhooks(tx, workspaceId)
    for (const fact of news) {
      const ids = webhooks.filter(({ events }) => events.includes(fact.kind)).map(({ id }) => id)
      await addDeliveries(tx, workspaceId, ids, [deliveryOf(ground, eventOf(index, fact, now))], now)
    }
    return news.length
  })
}

async function readComputable(
  { library }: DeliveryParts,
  workspaceId: string,
  index: CachedIndex,
  now: Instant,
): Promise<readonly StateFact[] | null> {
  const ids = index.agreements.filter(({ states }) => states.at(-1)?.status === 'ACTIVE').map(({ id }) => id)
  for (let turn = 1; turn <= webhookLimits.glances; turn++) {
    const { digests, pending } = await library.digests.gather(workspaceId, ids, dayOfInstant(now))
    if (pending > 0) continue
    return ids.flatMap(id => {
      const figures = digests.get(id)?.figures
      const open = figures === undefined ? [] : unpackFigures(figures)
      // Periods that are too heavy to compute here have no number yet.
      const computed = open.filter(({ adjustmentPct }) => adjustmentPct !== null)
      const holds = computed.slice(-webhookLimits.computablePeriods).map(({ period }) => period)
      return holds.length === 0 ? [] : [{ kind: 'adjustment.computable' as const, about: id, holds }]
    })
  }
  return null
}

/** Periods that could be computed at a moment, from everything recorded by then. */
async function readComputableAt(
  { library }: DeliveryParts,
  workspaceId: string,
  index: CachedIndex,
  computable: readonly StateFact[],
  at: Instant,
): Promise<readonly StateFact[]> {
  const request = { asOf: null, knownAt: at, version: null, until: dayOfInstant(at) }
  const slices = new Slices()
  const facts: StateFact[] = []
  for (const { kind, about } of computable) {
    const states = index.findAgreement(about)?.states ?? []
    const agreement = await library.agreement(workspaceId, about)
    if (agreement === null || states.findLast(({ recordedAt }) => isBy(recordedAt, at))?.status !== 'ACTIVE') continue
    const adjustments = await library.computeAdjustments(workspaceId, agreement.snapshot, request).catch(orNothing)
    const holds = adjustments?.computed.map(({ period }) => period) ?? []
    if (holds.length > 0) facts.push({ kind, about, holds })
    await slices.restAsLong()
  }
  return facts
}

/** A period that cannot be computed was not computable. */
function orNothing(error: unknown): null {
  if (error instanceof TooHeavyHere || (error instanceof Refusal && error.kind !== 'unavailable')) return null
  throw error
}

/** Facts at an instant, from entries up to a cut: null for everything. */
async function readOthers(
  parts: DeliveryParts,
  workspaceId: string,
  at: Instant,
  cut: Instant | null,
): Promise<readonly StateFact[]> {
  return [
    ...(await readLate(parts, workspaceId, cut)),
    ...(await readQuarantined(parts, workspaceId, cut)),
    ...(await readExpiring(parts, workspaceId, at, cut)),
  ]
}

async function readLate(
  { sql }: DeliveryParts,
  workspaceId: string,
  cut: Instant | null,
): Promise<readonly StateFact[]> {
  const alarms = await withWorkspace(sql, workspaceId, tx => loadOpenAlarms(tx, workspaceId))
  const raised = alarms.filter(({ raisedAt }) => isBy(raisedAt, cut))
  return [...Map.groupBy(raised, ({ seriesId }) => seriesId)].map(([about, own]) => ({
    kind: 'release.late',
    about,
    holds: [...new Set(own.map(({ period }) => period))].sort(),
  }))
}

/** Quarantined answers for the series that the workspace follows. */
async function readQuarantined(
  { sql }: DeliveryParts,
  workspaceId: string,
  cut: Instant | null,
): Promise<readonly StateFact[]> {
  const followed = await loadFollowed(sql, workspaceId, cut)
  const waiting = await listQuarantine(sql, 'waiting', [...followed])
  return waiting
    .filter(({ foundAt }) => isBy(foundAt, cut))
    .map(({ seriesId, id }) => ({ kind: 'series.quarantined', about: seriesId, holds: [id] }))
}

async function readExpiring(
  { sql }: DeliveryParts,
  workspaceId: string,
  at: Instant,
  cut: Instant | null,
): Promise<readonly StateFact[]> {
  const soon = later(at, webhookLimits.keyDays * 86_400_000)
  const keys = await (cut === null ? listApiKeys(sql, workspaceId) : listApiKeysAt(sql, workspaceId, cut))
  return keys.flatMap(key =>
    key.expiresAt !== null && key.expiresAt <= soon && isLive(key, at)
      ? [{ kind: 'key.expiring' as const, about: key.id, holds: [key.expiresAt] }]
      : [],
  )
}

function eventOf(index: CachedIndex, { kind, about, holds }: StateFact, at: Instant): TellableEvent {
  const namesPeriods = kind === 'adjustment.computable' || kind === 'release.late'
  return {
    id: makeIdentifier('evt'),
    type: kind,
    at,
    subject: about,
    periods: namesPeriods ? holds : null,
    agreement: index.findAgreement(about)?.slug ?? null,
    cursor: null,
  }
}
