// What changed and what waits: new values that touch one's formulas, dates that come next, signatures, and what is wrong
// with where to go.
import { writeDay } from '../../core/day.ts'
import { startOfDay } from '../../core/instant.ts'
import { periodOf, writePeriod } from '../../core/period.ts'
import { limits } from '../../limits.ts'
import type { HeldIndex } from '../../read/library.ts'
import { isLive, listApiKeys } from '../../storage/api-keys.ts'
import { withWorkspace } from '../../storage/database.ts'
import { listQuarantine } from '../../storage/quarantine.ts'
import { type RecentChange, readRecentChanges } from '../../storage/recent-changes.ts'
import type { VisibleSeries } from '../../storage/series.ts'
import { readStates, type SeriesState } from '../../storage/series-state.ts'
import { formulaRow } from './formula-list.ts'
import { type FormulaStanding, openFormulas, readNames, todayOf } from './formula-standing.ts'
import type { ConsoleParts, Seat } from './route.ts'
import { waitingRows } from './sign-offs.ts'
import { type Readers, readersOf, visibleSeries } from './visibility.ts'
import type { FormulaRow, Overview } from './wire/formulas.ts'

export async function showOverview(parts: ConsoleParts, seat: Seat): Promise<Overview> {
  const { index, formulas } = await openFormulas(parts, seat)
  const readers = await readersOf(seat, parts.library, index)
  const series = visibleSeries(seat, index, readers)
  const names = await readNames(parts, seat)
  const rows: FormulaRow[] = []
  for (const formula of formulas) rows.push(await formulaRow(parts, seat, formula, names))
  const { mine, others } = waitingRows(seat, formulas, names)
  const { changes, states } = await readChanges(parts, seat, index, readers)
  return {
    changes: changes.map(change => changeView(change, index, readers)),
    due: dueRows(rows),
    waiting: (mine.length > 0 ? mine : others).slice(0, limits.overviewRows),
    waitsForMe: mine.length > 0,
    troubles: [
      ...formulaTroubles(rows, formulas),
      ...seriesTroubles(series, states),
      ...(await quarantineTroubles(parts, series)),
    ],
    counts: {
      series: series.length,
      formulas: formulas.length,
      keys: seat.role === 'supplier' ? 0 : await countKeys(parts, seat),
    },
  }
}

type States = ReadonlyMap<string, SeriesState>

async function readChanges(
  parts: ConsoleParts,
  { workspace }: Seat,
  index: HeldIndex,
  readers: Readers,
): Promise<{ changes: readonly RecentChange[]; states: States }> {
  const series = index.series.filter(({ id }) => readers.has(id))
  const since = startOfDay(todayOf(parts) - limits.overviewDays)
  return withWorkspace(parts.installation.sql, workspace.id, async tx => {
    const question = { series, since, most: limits.overviewRows, mostTogether: limits.overviewTogether }
    return { changes: await readRecentChanges(tx, question), states: await readStates(tx, workspace.id) }
  })
}

function changeView(
  { seriesId, period, ...change }: RecentChange,
  index: HeldIndex,
  readers: Readers,
): Overview['changes'][number] {
  const { metadata, provider, code } = index.find(seriesId)!
  const { name, frequency } = metadata.at(-1)!
  const formulas = readers.get(seriesId) ?? []
  return {
    seriesId,
    name,
    provider,
    code,
    period: writePeriod(periodOf(frequency, period)),
    ...change,
    formulas: formulas.map(({ slug, states }) => ({ slug, name: states.at(-1)!.name })),
  }
}

/** The next date of what is in force, the nearest first. */
function dueRows(rows: readonly FormulaRow[]): Overview['due'] {
  return rows
    .filter(({ status, nextDate }) => status === 'ACTIVE' && nextDate !== null)
    .map(({ slug, name, nextDate, last, price }) => ({
      slug,
      name,
      date: nextDate!,
      last,
      currency: price?.currency ?? null,
    }))
    .sort((a, b) => (`${a.date} ${a.slug}` < `${b.date} ${b.slug}` ? -1 : 1))
}

type Trouble = Overview['troubles'][number]

/** What is in force and cannot be computed by now; a gap of long ago that later periods got over is none. */
function formulaTroubles(rows: readonly FormulaRow[], formulas: readonly FormulaStanding[]): Trouble[] {
  return rows.flatMap(({ status, slug, name, trouble, last }, i) => {
    if (status !== 'ACTIVE') return []
    const tell = (words: string): Trouble => ({ kind: 'formula', subject: name, words, target: slug })
    if (trouble !== null) return [tell(trouble)]
    const blocked = formulas[i]!.ledger?.blocked.find(({ date }) => writeDay(date) > (last?.adjustmentDate ?? ''))
    return blocked === undefined ? [] : [tell(`${blocked.period} cannot be computed: ${blocked.reason}`)]
  })
}

/** From so many on, the same trouble of one provider's series is the provider's. */
const manySeries = 3

function seriesTroubles(series: readonly VisibleSeries[], states: States): Trouble[] {
  const troubled = series.flatMap(each => {
    const words = states.get(each.id)?.trouble ?? null
    return words === null ? [] : [{ series: each, words }]
  })
  const groups = Map.groupBy(troubled, ({ series: { provider }, words }) => `${provider} ${words}`)
  return [...groups.values()].flatMap((group): Trouble[] => {
    const { series: first, words } = group[0]!
    if (group.length >= manySeries)
      return [{ kind: 'provider', subject: first.provider, words: `${words} (${group.length} series)`, target: null }]
    return group.map(({ series: { id, metadata } }) => ({
      kind: 'series',
      subject: metadata.at(-1)!.name,
      words,
      target: id,
    }))
  })
}

/** Everybody who sees the series is told that it waits; operators decide. */
async function quarantineTroubles(
  { installation }: ConsoleParts,
  series: readonly VisibleSeries[],
): Promise<Trouble[]> {
  const known = new Map(series.map(each => [each.id, each]))
  const waiting = await listQuarantine(installation.sql, 'waiting')
  return waiting.flatMap(({ seriesId, reason }) => {
    const held = known.get(seriesId)
    if (held === undefined) return []
    return [{ kind: 'quarantine' as const, subject: held.metadata.at(-1)!.name, words: reason, target: seriesId }]
  })
}

async function countKeys({ installation, now }: ConsoleParts, { workspace }: Seat): Promise<number> {
  const keys = await listApiKeys(installation.sql, workspace.id)
  return keys.filter(key => isLive(key, now())).length
}
