// F7 of docs/SECURITY.md: some or all providers misbehave at once. Checks that a refused answer has no effect, that nothing
// is published which an operator must review first, and that well-behaved providers are still read.
import type { ProviderName } from '../../src/core/series/series.ts'
import { providerNames } from '../../src/core/series/series.ts'
import { follow } from '../../src/ingest/follow.ts'
import { type OpenIngest, openIngest } from '../../src/ingest/ingest-connections.ts'
import { refreshSeries } from '../../src/ingest/refresh.ts'
import type { SeriesOutcome } from '../../src/ingest/run.ts'
import type { DatabaseTarget, Sql } from '../../src/storage/postgres/database.ts'
import { listPublicSeries } from '../../src/storage/series/public-series.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { defaultSeries } from '../stand-in/data/default-series.ts'
import { type Misbehaviour, ruleOf } from '../stand-in/misbehaviour.ts'
import { keys } from './support.ts'

/** A stand-in with its built-in series, here or in another process. */
export interface BadProviders {
  bases(): ReadonlyMap<ProviderName, string>
  misbehave(provider: ProviderName, kind: Misbehaviour): Promise<void> | void
  behave(): Promise<void> | void
}

interface Ground {
  readonly owner: Sql
  readonly sql: Sql
  readonly target: DatabaseTarget
}

/** Those providers, all in the same way. */
export function allIn(kind: Misbehaviour, bad: readonly ProviderName[]): ReadonlyMap<ProviderName, Misbehaviour> {
  return new Map(bad.map(provider => [provider, kind]))
}

export class BadAnswers {
  readonly #ground: Ground
  readonly #standIn: BadProviders
  readonly #ingest: OpenIngest

  private constructor(ground: Ground, standIn: BadProviders, ingest: OpenIngest) {
    this.#ground = ground
    this.#standIn = standIn
    this.#ingest = ingest
  }

  /** Follows a series of every provider while all of them behave well. */
  static async open(ground: Ground, standIn: BadProviders): Promise<BadAnswers> {
    const config = { providerBases: standIn.bases(), providerKeys: keys, contact: null }
    // Long enough for every good answer on a busy machine; a slow one has half a minute.
    const ingest = openIngest(ground, config, { answerMs: 5000, sleep: async () => {} })
    const workspace = await createWorkspace(ground.owner, { slug: 'bad-answers' })
    for (const { provider, follows, problems } of await follow(ingest, workspace.id, providerNames.map(longestOf)))
      if (follows !== 'new' || problems.length > 0)
        throw new Error(`${provider} cannot be followed while it behaves well: ${JSON.stringify(problems)}`)
    return new BadAnswers(ground, standIn, ingest)
  }

  close(): Promise<void> {
    return this.#ingest.close()
  }

  /** What went wrong while those providers misbehaved, each in its way. */
  async try(bad: ReadonlyMap<ProviderName, Misbehaviour>): Promise<readonly string[]> {
    const before = await this.#stored()
    for (const [provider, kind] of bad) await this.#standIn.misbehave(provider, kind)
    const outcomes = await this.#refreshAll()
    await this.#standIn.behave()
    const kinds = [...new Set(bad.values())].join(', ')
    const failures = outcomes.flatMap(({ provider, outcome, problems }) => {
      const kind = bad.get(provider)
      if (kind !== undefined)
        return ruleOf(kind).outcome === 'nothing' && outcome.kind !== 'failed'
          ? [`${kind} of ${provider}: ${outcome.kind}`]
          : []
      const isRead = outcome.kind === 'unchanged' && problems.length === 0
      return isRead ? [] : [`${kinds}: ${provider} behaved and is ${outcome.kind} ${JSON.stringify(problems)}`]
    })
    if (outcomes.length !== providerNames.length) failures.push(`${kinds}: ${outcomes.length} series came to an end`)
    const after = await this.#stored()
    for (const provider of providerNames)
      if (after[provider] !== before[provider])
        failures.push(`${bad.get(provider) ?? kinds}: values of ${provider} came from nowhere`)
    if (outcomes.some(({ outcome }) => outcome.kind === 'changed')) await this.#refreshAll()
    return failures
  }

  /** Afterwards every provider is read again, and no problem is left. */
  async checkPeace(): Promise<readonly string[]> {
    const outcomes = await this.#refreshAll()
    const troubled = (await listPublicSeries(this.#ground.sql)).filter(({ state }) => state?.trouble != null)
    return [
      ...outcomes
        .filter(({ outcome }) => outcome.kind !== 'unchanged')
        .map(({ provider, outcome }) => `behaving well, ${provider} is ${outcome.kind}`),
      ...troubled.map(
        ({ provider, state }) => `behaving well, ${provider} has a problem: ${JSON.stringify(state?.trouble)}`,
      ),
    ]
  }

  /** A value that nobody published must never appear; a wrong tag or withdrawal may, since it cannot be recognised. */
  async #stored(): Promise<Readonly<Record<string, string>>> {
    const rows = await this.#ground.owner<{ provider: string; values: string }[]>`
      select s.provider, md5(string_agg(distinct v.period || '=' || v.value, ',')) as values
      from vintage v join series s on s.owner = v.owner and s.id = v.series_id
      where v.value is not null group by s.provider`
    return Object.fromEntries(rows.map(({ provider, values }) => [provider, values]))
  }

  async #refreshAll(): Promise<readonly SeriesOutcome[]> {
    const { owner, sql } = this.#ground
    // No waiting for rate limits here; and with a validator the ECB would answer 304 instead of misbehaving.
    await owner`delete from provider_pause`
    await owner`delete from provider_request`
    await owner`update series_state set etag = null, last_modified = null`
    const runs = await refreshSeries(this.#ingest, await listPublicSeries(sql), 'refresh')
    return runs.flatMap(run => run.outcomes)
  }
}

function longestOf(provider: ProviderName): string {
  const [series] = defaultSeries(provider)
    .filter(
      ({ details, frequency }) =>
        details.premium === undefined && (provider === 'NASDAQ_DATA_LINK' || frequency !== 'DAILY'),
    )
    .toSorted((a, b) => b.publications.length - a.publications.length)
  return `${provider}/${series!.code}`
}
