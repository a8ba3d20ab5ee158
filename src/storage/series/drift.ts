// Shapes of providers' answers, as last accepted, and drifts: answers that look different and wait for a person. One drift at
// most waits for a provider and a kind of request, whatever changed.
import { randomUUIDv7 } from 'node:crypto'
import type { Instant } from '../../core/time/instant.ts'
import { inWorkspace, publicScope, type Sql, withWorkspace } from '../postgres/database.ts'
import { type Decided, type Decision, decideWaiting } from './quarantine.ts'

/** Searches are not watched (decision 0815). */
export type RequestKind = 'values' | 'calendar'
type ShapeKind = RequestKind | 'series'

/** One line of two shapes side by side. */
export interface DriftLine {
  readonly what: string
  readonly before: string | null
  readonly after: string | null
}

/** Changes in one place: in the answers about a data set, or about a series or a family. */
export interface DriftPart {
  readonly place: string
  readonly signs: readonly { readonly kind: string; readonly words: string }[]
  readonly lines: readonly DriftLine[]
  /** Codes that it is about. */
  readonly series: readonly string[]
  readonly fingerprint: string
  /** Shapes that accepting it stores, by their subjects. */
  readonly shapes: readonly { readonly kind: ShapeKind; readonly about: string; readonly shape: object }[]
}

export interface Drift {
  readonly id: string
  readonly provider: string
  readonly kind: RequestKind
  readonly foundAt: Instant
  readonly parts: readonly DriftPart[]
  readonly decision: Decision | null
  readonly decidedAt: Instant | null
  readonly decidedBy: string | null
}

/** Newest version of each shape, by its subject. */
export async function loadShapes<Shape>(
  sql: Sql,
  provider: string,
  kind: ShapeKind,
  about: readonly string[],
): Promise<ReadonlyMap<string, Shape>> {
  if (about.length === 0) return new Map()
  const rows = await inWorkspace(sql, publicScope)<{ about: string; shape: Shape }[]>`
    select distinct on (about) about, shape from answer_shape
    where owner = ${publicScope} and provider = ${provider} and kind = ${kind}
      and about = any(${[...new Set(about)]}::text[])
    order by about, version desc`
  return new Map(rows.map(row => [row.about, row.shape]))
}

/** Saves a shape as the next version. Of two processes at once the second finds it there and leaves it. */
export async function saveShape(
  sql: Sql,
  provider: string,
  { kind, about, shape }: DriftPart['shapes'][number],
  at: Instant,
): Promise<void> {
  await inWorkspace(sql, publicScope)`
    insert into answer_shape (owner, provider, kind, about, version, accepted_at, shape)
    select ${publicScope}, ${provider}, ${kind}, ${about}, coalesce(max(version), 0) + 1, ${at},
      ${JSON.stringify(shape)}::text::jsonb
    from answer_shape where owner = ${publicScope} and provider = ${provider} and kind = ${kind} and about = ${about}
    on conflict do nothing`
}

/** Drifts, oldest first; the waiting ones, or of one provider the decided ones too. */
export function listDrifts(sql: Sql, which: 'waiting' | 'all' = 'waiting'): Promise<readonly Drift[]> {
  return inWorkspace(sql, publicScope)<Drift[]>`
    select id, provider, kind, found_at as "foundAt", parts, decision, decided_at as "decidedAt",
      decided_by as "decidedBy"
    from drift where owner = ${publicScope} ${which === 'waiting' ? sql`and decision is null` : sql``}
    order by found_at, id`
}

/** Last drift that a person decided. */
export async function lastDecidedDrift(sql: Sql, provider: string, kind: RequestKind): Promise<Drift | null> {
  const [row] = await inWorkspace(sql, publicScope)<Drift[]>`
    select id, provider, kind, found_at as "foundAt", parts, decision, decided_at as "decidedAt",
      decided_by as "decidedBy"
    from drift where owner = ${publicScope} and provider = ${provider} and kind = ${kind}
      and decision in ('released', 'rejected')
    order by decided_at desc, id desc limit 1`
  return row ?? null
}

/** Adds to the waiting drift, in place of its parts about the same places, or begins one. Returns its id. */
export function keepDrift(
  sql: Sql,
  provider: string,
  kind: RequestKind,
  parts: readonly DriftPart[],
  at: Instant,
): Promise<string> {
  return withWorkspace(sql, publicScope, async tx => {
    const [made] = await tx<{ id: string; parts: readonly DriftPart[] }[]>`
      insert into drift as d (owner, id, provider, kind, found_at, parts)
      values (${publicScope}, ${randomUUIDv7()}, ${provider}, ${kind}, ${at}, '[]')
      on conflict (owner, provider, kind) where decision is null do update set found_at = d.found_at
      returning id, parts`
    const { id, parts: held } = made!
    const all = new Map([...held, ...parts].map(part => [part.place, part]))
    await tx`
      update drift set parts = ${JSON.stringify([...all.values()])}::text::jsonb
      where owner = ${publicScope} and id = ${id}`
    return id
  })
}

/** Removes places that are as before again; a drift without any left is over. */
export async function settleDrift(
  sql: Sql,
  provider: string,
  kind: RequestKind,
  places: readonly string[],
  at: Instant,
): Promise<void> {
  if (places.length === 0) return
  await withWorkspace(sql, publicScope, async tx => {
    const [row] = await tx<{ id: string; parts: readonly DriftPart[] }[]>`
      select id, parts from drift where owner = ${publicScope} and provider = ${provider} and kind = ${kind}
        and decision is null for update`
    if (row === undefined) return
    const left = row.parts.filter(({ place }) => !places.includes(place))
    if (left.length === row.parts.length) return
    if (left.length === 0)
      await tx`update drift set decision = 'overtaken', decided_at = ${at} where owner = ${publicScope} and id = ${row.id}`
    else
      await tx`
        update drift set parts = ${JSON.stringify(left)}::text::jsonb where owner = ${publicScope} and id = ${row.id}`
  })
}

/** Whether it was still waiting. */
export function decideDrift(sql: Sql, id: string, decided: Decided): Promise<boolean> {
  return decideWaiting(sql, { table: 'drift', column: 'id', value: id }, decided)
}
