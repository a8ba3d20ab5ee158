// Plans that were agreed in advance: once it is known that an index has ended or was replaced, the splice that an agreement plans
// for it is proposed automatically; where both signed that it needs nothing further, it becomes a version at once.

import type { Input } from '../../core/formula/formula.ts'
import { type IndexEvent, isAbout } from '../../core/index-changes/index-event.ts'
import { Overlap } from '../../core/index-changes/overlap.ts'
import { placeOf } from '../../core/index-changes/spliced-document.ts'
import { Refusal } from '../../core/refusal.ts'
import { noCuts } from '../../core/series/vintage.ts'
import { formatDay } from '../../core/time/day.ts'
import { formatPeriod } from '../../core/time/period.ts'
import { limits } from '../../limits.ts'
import { openChange, stateOfChange } from '../../read/agreements/terms-state.ts'
import { loadPlanned } from '../../storage/agreements/agreement-lists.ts'
import { loadAgreementHistories } from '../../storage/agreements/agreements.ts'
import { appending } from '../../storage/log/append.ts'
import { listWorkspacesWithPeople } from '../../storage/people/mail.ts'
import { type Sql, withWorkspace } from '../../storage/postgres/database.ts'
import { loadIndexEvents } from '../../storage/series/index-events.ts'
import { type OpenTerms, openTerms, openTurn } from './open-terms.ts'
import { putForward } from './put-forward.ts'
import { writeAgreed } from './sign-change.ts'
import { type SpliceWish, splice } from './splice.ts'

interface CarriedOut {
  readonly slug: string
  /** Id of the proposal; null where it could not be made, then `why` says why. */
  readonly id: string | null
  /** The version that it made at once; null where both still sign it. */
  readonly version: number | null
  readonly why: string | null
}

export async function carryOutEverywhere(sql: Sql): Promise<readonly CarriedOut[]> {
  const carriedOut: CarriedOut[] = []
  for (const id of await listWorkspacesWithPeople(sql)) carriedOut.push(...(await carryOutPlans(sql, id)))
  return carriedOut
}

/** Carries out plans of one workspace. A splice that was proposed before and is open, or was refused, is left to people. */
export async function carryOutPlans(sql: Sql, workspaceId: string): Promise<readonly CarriedOut[]> {
  const { ids, events } = await withWorkspace(sql, workspaceId, async tx => ({
    ids: await loadPlanned(tx, workspaceId),
    events: newestOf(await loadIndexEvents(tx, workspaceId)),
  }))
  const carriedOut: CarriedOut[] = []
  for (const id of ids) {
    const done = await appending(sql, workspaceId, async (tx, log) => {
      const [kept] = await loadAgreementHistories(tx, workspaceId, [id])
      if (kept === undefined || openChange(kept) !== null) return null
      return carryOut(openTerms(await openTurn(tx, log), kept), events)
    }).catch((error: unknown) => {
      if (error instanceof Refusal && error.kind === 'conflict') return null
      throw error
    })
    if (done !== null) carriedOut.push(done)
  }
  return carriedOut
}

/** A newer one with the same id corrects it. */
function newestOf<E extends IndexEvent>(events: readonly E[]): readonly E[] {
  return [...new Map(events.map(event => [event.id, event])).values()]
}

/** The first input whose plan is due; the next one follows once this is agreed. */
async function carryOut(open: OpenTerms, events: readonly IndexEvent[]): Promise<CarriedOut | null> {
  const { kept, standing, today } = open
  const [day, { slug }] = [formatDay(today), kept]
  for (const input of standing.versions.at(-1)!.formula.inputs) {
    const event = events.find(each => each.day <= day && isDue(each, input))
    if (input.successor === null || event === undefined || wasRefused(open, input)) continue
    try {
      return { slug, ...(await propose(open, await wishFor(open, input, event), input.successor.automatic)), why: null }
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
      return { slug, id: null, version: null, why: error.message }
    }
  }
  return null
}

function isDue(event: IndexEvent, { series, successor, links }: Input): boolean {
  const [provider, ...code] = series.split('/')
  return (
    (event.kind === 'ENDED' || event.kind === 'SUPERSEDED') &&
    isAbout(event, { provider: provider!, code: code.join('/') }) &&
    placeOf({ series, links }, series) !== null &&
    placeOf({ series, links }, successor?.series ?? '') === null
  )
}

/** Whether a side refused this splice under the version that still governs. */
function wasRefused({ kept, basis }: OpenTerms, { series, successor }: Input): boolean {
  return kept.changes.some(
    change =>
      change.basis === basis.version &&
      change.series.join() === [series, successor?.series].join() &&
      stateOfChange(kept, change) === 'REFUSED',
  )
}

async function wishFor({ ground, snapshot }: OpenTerms, input: Input, event: IndexEvent): Promise<SpliceWish> {
  const { series, method, window: length } = input.successor!
  const { coefficient, source } = event
  const data = await ground.data([...new Set([...snapshot.references, series])])
  const [old, successor] = [data.get(input.series), data.get(series)]
  const newest =
    length === null || old === undefined || successor === undefined
      ? null
      : new Overlap(old, successor, noCuts).newest(length, null)
  return {
    old: input.series,
    successor: series,
    inputs: [input.name],
    method,
    direction: null,
    ground: { kind: 'EVENT', event: event.id, change: event.kind, sentence: event.sentence },
    window: newest === null ? null : { from: formatPeriod(newest.from), until: formatPeriod(newest.until) },
    published: method === 'PUBLISHED' && coefficient !== null ? { ...coefficient, source } : null,
    point: null,
    rounding: null,
    join: null,
    base: null,
    waitFinal: false,
    candidates: [],
  }
}

async function propose(
  open: OpenTerms,
  wish: SpliceWish,
  automatic: boolean,
): Promise<Pick<CarriedOut, 'id' | 'version'>> {
  const { tx, log, kept, basis } = open
  const { warnings: _warnings, ...change } = await splice(open, wish)
  const hasRoom = kept.versions.length < limits.formulaVersions
  const plannedBy = automatic && hasRoom && isAgreedVersion(open) ? basis.version : null
  const by = { who: 'operator', fromAddress: null }
  const { id } = await putForward(open, change, { by, inTheNameOf: by.who, offer: null, plannedBy })
  if (plannedBy === null) return { id, version: null }
  const agreed = { kept, change: { id, kind: change.kind, proposedBy: by.who }, ...change }
  const [version] = await writeAgreed(tx, log, [agreed])
  return { id, version: version! }
}

/** Whether both signed the version itself, or a number under it (decision 0667). */
function isAgreedVersion({ basis, standing }: OpenTerms): boolean {
  return basis.proposal !== null || standing.signed.some(({ body }) => body.result.formulaVersion === basis.version)
}
