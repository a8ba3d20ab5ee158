// `series follow`: fetches metadata and the whole history of a new series, or the possibly new part of a stored one, and makes it
// visible to the workspace. Refuses a code that the workspace has imported and one that no provider accepts.

import { Refusal } from '../core/refusal.ts'
import { notASeries, type ProviderName, parseReference } from '../core/series/series.ts'
import { dayOfInstant } from '../core/time/instant.ts'
import { providers } from '../providers/catalogue/catalogue.ts'
import type { Provider } from '../providers/provider.ts'
import { followSeries, importedRefusal, loadImported, refuseTooManyFollows } from '../storage/series/follows.ts'
import { listPublicSeries } from '../storage/series/public-series.ts'
import { planRefresh, planWhole } from './plan.ts'
import { type Errand, runErrands, standingOf } from './refresh.ts'
import type { Ingest, SeriesOutcome } from './run.ts'

export interface Followed extends SeriesOutcome {
  /** `new`: visible to the workspace from now on; `held`: it was before; `no`: it could not be read. */
  readonly follows: 'new' | 'held' | 'no'
}

interface WantedCodes {
  readonly provider: Provider
  readonly codes: readonly string[]
}

/** Follows references. If any of them is wrong, all are refused before a provider is asked. */
export async function follow(
  ingest: Ingest,
  workspaceId: string,
  references: readonly string[],
): Promise<readonly Followed[]> {
  const wanted = readReferences(references, ingest)
  for (const { provider, codes } of wanted) {
    const [imported] = await loadImported(ingest.sql, workspaceId, provider.name, codes)
    if (imported !== undefined) throw importedRefusal(provider.name, imported)
  }
  const asked = wanted.map(({ provider, codes }) => ({ provider: provider.name, codes }))
  await refuseTooManyFollows(ingest.sql, workspaceId, asked)
  const errands = await Promise.all(wanted.map(each => plan(each, ingest)))
  const runs = await runErrands(ingest, errands, 'follow')
  const followed: Followed[] = []
  for (const outcome of runs.flatMap(run => run.outcomes)) {
    const series = outcome.series ?? (await heldBy(outcome, ingest))
    const isNew = series === null ? null : await followSeries(ingest.sql, workspaceId, series)
    followed.push({ ...outcome, series, follows: isNew === null ? 'no' : isNew ? 'new' : 'held' })
  }
  return followed
}

function readReferences(references: readonly string[], ingest: Ingest): readonly WantedCodes[] {
  const codes = new Map<ProviderName, Map<string, string>>()
  const wrong: string[] = []
  for (const reference of references) {
    const parsed = parseReference(reference)
    if (parsed === null) wrong.push(notASeries(reference))
    else if (parsed.provider === 'CUSTOM')
      wrong.push(`"${reference}" belongs to a workspace: it is imported, not followed`)
    else {
      const mistake = mistakeIn(providers[parsed.provider], parsed.code, ingest)
      if (mistake !== null) wrong.push(mistake)
      // Codes that differ only in case are the same; the first spelling is used.
      const own = codes.get(parsed.provider) ?? new Map<string, string>()
      codes.set(parsed.provider, own)
      if (!own.has(parsed.code.toLowerCase())) own.set(parsed.code.toLowerCase(), parsed.code)
    }
  }
  if (wrong.length > 0) throw new Refusal('invalid', wrong.join('\n'))
  return [...codes].map(([name, own]) => ({ provider: providers[name], codes: [...own.values()] }))
}

/** The provider's own rule about its codes. */
function mistakeIn(provider: Provider, code: string, { clock }: Ingest): string | null {
  try {
    provider.request({ codes: [code], from: null, changedSince: null, today: dayOfInstant(clock()), key: null })
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

async function plan({ provider, codes }: WantedCodes, ingest: Ingest): Promise<Errand> {
  const held = await listPublicSeries(ingest.sql, { provider: provider.name, codes })
  const targets = codes.map(code => {
    const series =
      held.find(each => each.code === code) ?? held.find(each => each.code.toLowerCase() === code.toLowerCase())
    return { code: series?.code ?? code, series: series ?? null }
  })
  const isThorough = false
  const known = targets.flatMap(({ series }) => (series === null ? [] : [standingOf(series)]))
  const unknown = targets.filter(({ series }) => series === null).map(({ code }) => code)
  const plans = [...planWhole(provider, unknown), ...planRefresh(provider, known, { now: ingest.clock(), isThorough })]
  return { provider, targets, plans }
}

/** Another run may have fetched it in the meantime. */
async function heldBy({ provider, code }: SeriesOutcome, { sql }: Ingest) {
  const [series] = await listPublicSeries(sql, { provider, codes: [code] })
  return series ?? null
}
