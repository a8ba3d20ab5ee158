// One provider's part of a run: locks its series, requests them batch by batch, publishes them one by one and records
// everything. Providers run in parallel and share nothing that one of them could block.

import { Refusal } from '../core/refusal.ts'
import type { ProviderName } from '../core/series/series.ts'
import { dayOfInstant, type Instant } from '../core/time/instant.ts'
import { metadataRequests } from '../providers/metadata.ts'
import type { Provider, ProviderQuery, ProviderRequest } from '../providers/provider.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { finishRun, keepAnswers, type RunCause, type RunProblem, startRun } from '../storage/series/ingest-runs.ts'
import { listPublicSeries, type PublicSeries } from '../storage/series/public-series.ts'
import type { SeriesLocks } from '../storage/series/series-locks.ts'
import { saveState } from '../storage/series/series-state.ts'
import { traced } from '../tracing/spans.ts'
import { type AskedChain, type Asking, askChain, Lane, requestHash, seriesReader } from './ask.ts'
import { stallNotice } from './describe.ts'
import { watchFamilies } from './drift/families.ts'
import { type Watch, watchAnswers } from './drift/watch.ts'
import { noValidators, type Validators } from './fetch.ts'
import { type Gathered, gather } from './gather.ts'
import { ingestLimits } from './ingest-limits.ts'
import type { Plan } from './plan.ts'
import { publishAnswer, type SeriesResult, troubleWords } from './publish.ts'
import type { Turns } from './turns.ts'

export interface IngestLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface Ingest {
  readonly sql: Sql
  readonly locks: SeriesLocks
  readonly asking: Asking
  readonly keys: ReadonlyMap<ProviderName, string>
  readonly clock: () => Instant
  readonly log: IngestLog
  /** Called when a series is done, to report progress. */
  readonly report: (outcome: SeriesOutcome) => void
  readonly signal: AbortSignal
  /** Limits how many series are compared and published at once. */
  readonly publishing: Turns
}

export interface Target {
  readonly code: string
  /** `null`: not stored yet. */
  readonly series: PublicSeries | null
}

export interface SeriesOutcome extends SeriesResult {
  readonly provider: ProviderName
  readonly code: string
}

export interface ProviderRun {
  readonly provider: ProviderName
  readonly outcomes: readonly SeriesOutcome[]
  readonly asked: number
}

export async function runProvider(
  provider: Provider,
  targets: readonly Target[],
  plans: readonly Plan[],
  cause: RunCause,
  ingest: Ingest,
): Promise<ProviderRun> {
  const startedAt = ingest.clock()
  const id = await startRun(ingest.sql, { provider: provider.name, cause, startedAt, series: targets.length })
  const run = new Run(id, provider, new Map(targets.map(target => [target.code, target])), ingest)
  try {
    const attributes = { 'assize.provider': provider.name }
    await traced({ name: 'refresh', kind: 'internal', attributes }, async () => {
      for (const plan of plans) await run.askLocked(plan)
    })
    const isMoved = run.outcomes.some(({ outcome }) => outcome.kind === 'changed')
    if (isMoved) await watchFamilies({ sql: ingest.sql, provider, now: ingest.clock() })
  } finally {
    const { counts } = run
    await finishRun(ingest.sql, id, ingest.clock(), counts)
    const { problems, ...numbers } = counts
    const fields = { provider: provider.name, cause, series: targets.length, ...numbers, problems: problems.length }
    if (problems.length > 0) ingest.log.warn(fields, 'ingest')
    else ingest.log.info(fields, 'ingest')
  }
  return { provider: provider.name, outcomes: run.outcomes, asked: run.counts.asked }
}

class Run {
  readonly #id: string
  readonly #lane: Lane
  readonly #targets: Map<string, Target>
  readonly #ingest: Ingest
  readonly outcomes: SeriesOutcome[] = []
  #asked = 0
  #kept = 0

  constructor(id: string, provider: Provider, targets: Map<string, Target>, ingest: Ingest) {
    this.#id = id
    this.#lane = new Lane(provider, ingest.signal)
    this.#targets = targets
    this.#ingest = ingest
  }

  get counts() {
    const sum = (pick: 'added' | 'revised' | 'withdrawn') =>
      this.outcomes.reduce((total, { outcome }) => total + (outcome.kind === 'changed' ? outcome[pick] : 0), 0)
    return {
      asked: this.#asked,
      added: sum('added'),
      revised: sum('revised'),
      withdrawn: sum('withdrawn'),
      quarantined: this.outcomes.filter(({ outcome }) => outcome.kind === 'quarantined').length,
      problems: this.outcomes.flatMap(problemsOf).slice(0, ingestLimits.ingestProblemsKept),
    }
  }

  /** Series that another run is working on are left to it. */
  async askLocked(plan: Plan): Promise<void> {
    const reference = (code: string) => `${this.#lane.provider.name}/${code.toLowerCase()}`
    const taken = await this.#ingest.locks.take([...new Set(plan.codes.map(reference))])
    try {
      for (const code of plan.codes)
        if (!taken.has(reference(code))) this.#note(code, { ...this.#stay(code), outcome: { kind: 'busy' } })
      const codes = plan.codes.filter(code => taken.has(reference(code)))
      await this.#lookAgain(codes)
      await this.#ask({ ...plan, codes })
    } finally {
      await this.#ingest.locks.release(taken)
    }
  }

  /** Another run may have changed the series before we got the lock. */
  async #lookAgain(codes: readonly string[]): Promise<void> {
    const found = await listPublicSeries(this.#ingest.sql, { provider: this.#lane.provider.name, codes })
    for (const code of codes) {
      const series = found.find(each => each.code === code) ?? found.find(each => isSameLetters(each.code, code))
      this.#targets.set(code, { code, series: series ?? null })
    }
  }

  async #ask(plan: Plan): Promise<void> {
    if (plan.codes.length === 0) return
    const chains = await this.#askAll(plan)
    const gathered = gather(plan.codes, chains)
    const watch = await this.#watch(chains, plan)
    const isWhole = plan.from === null && plan.changedSince === null
    const again: string[] = []
    const quiet = new Set<string>()
    for (const code of plan.codes) {
      this.#ingest.signal.throwIfAborted()
      const own = chains.filter(chain => chain.codes.includes(code))
      const result = await this.#publish(code, gathered.get(code)!, own, plan, watch)
      if (result === 'ask for everything' && !isWhole) again.push(code)
      else if (result !== 'ask for everything') {
        if (result.outcome.kind === 'unchanged' && result.problems.length === 0) quiet.add(code)
        await this.#remember(code, result, own, plan)
        this.#note(code, result)
      }
    }
    await watch.acceptForms()
    await this.#keep(chains, quiet)
    await this.#ask({ codes: again, from: null, changedSince: null })
  }

  async #askAll(plan: Plan): Promise<readonly AskedChain[]> {
    const { provider } = this.#lane
    const { keys, clock, asking } = this.#ingest
    const key = keys.get(provider.name) ?? null
    if (key === null && provider.key === 'required' && !asking.bases.has(provider.name)) {
      const message = `${provider.name} needs a key: set ASSIZE_KEY_${provider.name}`
      return [{ ...nothingAsked, codes: plan.codes, failure: { kind: 'bad-key', message } }]
    }
    const { from, changedSince, codes } = plan
    const requests = requestSafely(provider, { codes, from, changedSince, key, today: dayOfInstant(clock()) })
    if (requests instanceof Refusal)
      return [{ ...nothingAsked, codes, failure: { kind: 'bad-request', message: requests.message } }]
    const chains: AskedChain[] = []
    for (const request of requests) chains.push(await this.#askOne(request, this.#validatorsOf(request)))
    const unnamed = codes.filter(code => this.#targets.get(code)?.series === null)
    for (const request of metadataRequests(provider, unnamed)) {
      const { failure, parsedAnswers, ...chain } = await this.#askOne(request, noValidators)
      const heads = parsedAnswers.map(({ series }) => ({ series, problems: [] }))
      if (failure === null) chains.push({ ...chain, failure, parsedAnswers: heads })
    }
    return chains
  }

  async #askOne(request: ProviderRequest, validators: Validators): Promise<AskedChain> {
    const reader = seriesReader(this.#lane.provider)
    const chain = await askChain(this.#lane, request, validators, this.#ingest.asking, reader)
    this.#asked += chain.requests
    return chain
  }

  /** Validators, only if all series of the request were last read from the same answer to the same request. */
  #validatorsOf(request: ProviderRequest): Validators {
    const states = request.codes.map(code => this.#targets.get(code)?.series?.state ?? null)
    const [first] = states
    if (request.method !== 'GET' || first == null || first.requestHash !== requestHash(request)) return noValidators
    const { etag, lastModified } = first
    const isShared = states.every(
      state => state?.etag === etag && state.lastModified === lastModified && state.requestHash === first.requestHash,
    )
    return isShared ? { etag, lastModified } : noValidators
  }

  #watch(chains: readonly AskedChain[], plan: Plan): Promise<Watch> {
    const { sql, clock } = this.#ingest
    const stored = [...this.#targets.values()].filter(({ series }) => (series?.newestPeriod ?? null) !== null)
    const expected = plan.changedSince === null ? new Set(stored.map(({ code }) => code)) : new Set<string>()
    return watchAnswers({ sql, provider: this.#lane.provider, now: clock() }, chains, plan.codes, expected)
  }

  async #publish(code: string, gathered: Gathered, own: readonly AskedChain[], plan: Plan, watch: Watch) {
    const { provider } = this.#lane
    const isUnchanged = own.length > 0 && own.every(chain => chain.isUnchanged)
    if (isUnchanged) return { ...this.#stay(code), outcome: { kind: 'unchanged' } as const }
    const target = this.#targets.get(code)!
    const { publishing, signal } = this.#ingest
    const giveBack = await publishing.take(signal)
    try {
      // Publishing belongs to the trace of its question, or to the refresh if several questions led to it.
      const carrier = own.length === 1 ? own[0]!.trace : null
      const attributes = { 'assize.provider': provider.name }
      return await traced({ name: 'publication', kind: 'internal', attributes, carrier }, () =>
        publishAnswer(provider.name, code, target.series, gathered, plan, this.#ingest, watch.of(code)),
      )
    } finally {
      giveBack()
    }
  }

  #stay(code: string): Omit<SeriesResult, 'outcome'> {
    const series = this.#targets.get(code)?.series ?? null
    return { problems: [], series, newestPeriod: series?.newestPeriod ?? null }
  }

  async #remember(code: string, result: SeriesResult, own: readonly AskedChain[], plan: Plan): Promise<void> {
    const { outcome, series, newestPeriod } = result
    if (series === null) return
    const { clock, sql } = this.#ingest
    const now = clock()
    const state = this.#targets.get(code)?.series?.state ?? null
    const isAnswered = outcome.kind === 'changed' || outcome.kind === 'unchanged'
    const isGood = isAnswered && result.problems.length === 0
    const isStill = own.every(chain => chain.isUnchanged)
    await saveState(sql, {
      seriesId: series.id,
      lastAskedAt: now,
      lastAnsweredAt: isGood ? now : null,
      lastChangedAt: outcome.kind === 'changed' ? now : null,
      rangeAskedAt: isGood && plan.changedSince === null ? now : null,
      wholeAskedAt: isGood && plan.from === null ? now : null,
      trouble: troubleWords(result),
      notice: stallNotice(series.frequency, newestPeriod, dayOfInstant(now)),
      ...(isStill || outcome.kind === 'failed' ? keptValidators(state) : isGood ? newValidators(own) : noMemory),
    })
  }

  #note(code: string, result: SeriesResult): void {
    const outcome = { ...result, provider: this.#lane.provider.name, code }
    this.outcomes.push(outcome)
    this.#ingest.report(outcome)
  }

  /** Stores answers; for those with nothing new, the hash is enough. */
  async #keep(chains: readonly AskedChain[], quiet: ReadonlySet<string>): Promise<void> {
    const answers = chains.flatMap(chain => {
      const isKept = !chain.codes.every(code => quiet.has(code))
      return chain.answers.map(answer => ({ ...answer, provider: this.#lane.provider.name, isKept }))
    })
    await keepAnswers(this.#ingest.sql, this.#id, this.#kept, answers)
    this.#kept += answers.length
  }
}

/** Codes were checked when they were followed; the rules may have become stricter since. */
function requestSafely(provider: Provider, query: ProviderQuery): readonly ProviderRequest[] | Refusal {
  try {
    return provider.request(query)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const nothingAsked: AskedChain = {
  codes: [],
  parsedAnswers: [],
  failure: null,
  hasMarkedEnds: true,
  isUnchanged: false,
  validators: noValidators,
  trace: null,
  answers: [],
  refused: null,
  requests: 0,
  requestHash: '',
}

function isSameLetters(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

const noMemory = { requestHash: null, etag: null, lastModified: null }

function keptValidators(
  state: { requestHash: string | null; etag: string | null; lastModified: string | null } | null,
) {
  if (state === null) return noMemory
  const { requestHash, etag, lastModified } = state
  return { requestHash, etag, lastModified }
}

/** Validators of a single answer; they mean nothing for several. */
function newValidators(own: readonly AskedChain[]) {
  const [chain] = own
  if (chain === undefined || own.length !== 1) return noMemory
  return { requestHash: chain.requestHash, ...chain.validators }
}

function problemsOf({ provider, code, outcome, problems }: SeriesOutcome): readonly RunProblem[] {
  const series = `${provider}/${code}`
  if (outcome.kind === 'failed') return [{ series, ...outcome.problem }]
  if (outcome.kind === 'quarantined' || outcome.kind === 'rejected')
    return [{ series, kind: outcome.kind, message: outcome.reason }]
  return problems.map(problem => ({ series, ...problem }))
}
