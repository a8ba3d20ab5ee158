// Watches the answers of one request of ingest: compares their forms with those accepted before, keeps one alarm for the changes,
// and remembers the forms of good answers.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Instant } from '../../core/time/instant.ts'
import type { ParsedAnswer, ParsedSeries, Provider } from '../../providers/provider.ts'
import type { Sql } from '../../storage/postgres/database.ts'
import {
  type DriftPart,
  keepDrift,
  lastDecidedDrift,
  loadShapes,
  type RequestKind,
  saveShape,
  settleDrift,
} from '../../storage/series/drift.ts'
import type { AnswerForm, ObservedForm } from './form.ts'
import { formSigns, mergeForms } from './form-comparison.ts'
import { dataSetOfAll, routeOf } from './places.ts'
import { type SeriesShape, seriesShapeOf } from './series-signs.ts'
import { formLines, shapeLines } from './shape-comparison.ts'
import { type Sign, signWords } from './sign.ts'

export interface Watching {
  readonly sql: Sql
  readonly provider: Provider
  readonly now: Instant
}

/** Why the values of an answer are held back. */
interface HeldBackForm {
  readonly driftId: string | null
  readonly words: string
  readonly fingerprint: string
}

/** The watched side of one series while its answer is judged. */
export interface WatchedSeries {
  readonly held: HeldBackForm | null
  readonly kept: SeriesShape | null
  readonly labels: SeriesShape['labels']
  shapeOf(parsed: ParsedSeries): SeriesShape
  /** Adds the changes of the series to the alarm, and returns its id. */
  note(signs: readonly Sign[], shape: SeriesShape | null): Promise<string | null>
  /** Nothing about it has changed. */
  settle(): Promise<void>
  /** Stores the shape of an answer that was published. */
  accept(shape: SeriesShape): Promise<void>
}

/** Watching that compares nothing. */
export const unwatched: WatchedSeries = {
  held: null,
  kept: null,
  labels: {},
  shapeOf: parsed => seriesShapeOf(parsed, {}, null),
  note: async () => null,
  settle: async () => {},
  accept: async () => {},
}

export interface Watch {
  of(code: string): WatchedSeries
  /** Remembers the forms of good answers. */
  acceptForms(): Promise<void>
}

interface WatchedAnswer {
  readonly address: string
  readonly status: number
  readonly seen: ObservedForm
}

interface WatchedChain<Parsed> {
  readonly codes: readonly string[]
  readonly answers: readonly WatchedAnswer[]
  readonly refused: WatchedAnswer | null
  readonly parsedAnswers: readonly Parsed[]
}

/** Watches answers. `expected`: series that must have something in an answer that was asked for them. */
export async function watchAnswers(
  watching: Watching,
  chains: readonly WatchedChain<ParsedAnswer>[],
  codes: readonly string[],
  expected: ReadonlySet<string>,
): Promise<Watch> {
  const { sql, provider, now } = watching
  const kept = await loadShapes<SeriesShape>(sql, provider.name, 'series', codes)
  const forms = await watchForms(watching, 'values', chains, readingOf, chain => lackingSign(chain, expected))
  return {
    of(code) {
      const own = chains.filter(chain => chain.codes.includes(code))
      const isAlone = own.every(chain => chain.codes.length === 1)
      const labels = isAlone
        ? Object.assign({}, ...own.flatMap(({ answers }) => answers.map(({ seen }) => seen.labels)))
        : {}
      const before = kept.get(code) ?? null
      return {
        held: own.map(chain => forms.held.get(chain) ?? null).find(each => each !== null) ?? null,
        kept: before,
        labels,
        shapeOf(parsed) {
          const shape = seriesShapeOf(parsed, { ...before?.labels, ...labels }, before?.behind ?? null)
          return { ...shape, title: shape.title ?? before?.title ?? null, unit: shape.unit ?? before?.unit ?? null }
        },
        note: (signs, shape) => noteSeries(watching, code, signs, before, shape),
        settle: () => settleDrift(sql, provider.name, 'values', [seriesPlace(code)], now),
        async accept(shape) {
          // More decimals or fewer come with every other answer.
          const isSame = isDeepStrictEqual({ ...before, decimals: 0 }, { ...shape, decimals: 0 })
          if (before === null || !isSame)
            await saveShape(sql, provider.name, { kind: 'series', about: code, shape }, now)
        },
      }
    },
    acceptForms: forms.accept,
  }
}

const seriesPlace = (code: string) => `series ${code}`

async function noteSeries(
  { sql, provider, now }: Watching,
  code: string,
  signs: readonly Sign[],
  before: SeriesShape | null,
  after: SeriesShape | null,
): Promise<string | null> {
  const part: DriftPart = {
    place: seriesPlace(code),
    signs,
    lines: after === null ? [] : shapeLines(before, after),
    series: [code],
    fingerprint: fingerprintOf(seriesPlace(code), signs),
    shapes: [],
  }
  return raise(sql, provider.name, 'values', [part], now)
}

/** Result of reading an answer: as usual, in vain, or without anything in it. */
interface Reading {
  readonly isGood: boolean
  readonly isEmpty: boolean
  /** The provider says in its own way why there is nothing. */
  readonly isRefused: boolean
}

function readingOf({ series, problems }: ParsedAnswer): Reading {
  return {
    isGood: series.length > 0 && problems.length === 0,
    isEmpty: series.length === 0,
    isRefused: series.length === 0 && problems.some(({ kind }) => kind !== 'unreadable'),
  }
}

const refusedReading: Reading = { isGood: false, isEmpty: true, isRefused: true }

interface WatchedForms<Chain> {
  readonly held: ReadonlyMap<Chain, HeldBackForm>
  readonly accept: () => Promise<void>
}

/** Compares every answer with those before it, and keeps an alarm for all that differ. */
export async function watchForms<Parsed, Chain extends WatchedChain<Parsed>>(
  { sql, provider, now }: Watching,
  kind: RequestKind,
  chains: readonly Chain[],
  readingOfIt: (parsed: Parsed) => Reading,
  also: (chain: Chain) => readonly Sign[] = () => [],
): Promise<WatchedForms<Chain>> {
  const seen = chains.flatMap(chain => {
    const read = chain.parsedAnswers.map((parsed, at) => ({ answer: chain.answers[at], reading: readingOfIt(parsed) }))
    return [...read, { answer: chain.refused, reading: refusedReading }].flatMap(({ answer, reading }) => {
      if (answer == null || answer.status !== 200) return []
      const about = `${dataSetOfAll(provider, chain.codes)} ${routeOf(answer.address, chain.codes)}`.slice(0, 500)
      return [{ chain, about, form: answer.seen.form, reading }]
    })
  })
  const known = new Map(
    await loadShapes<AnswerForm>(
      sql,
      provider.name,
      kind,
      seen.map(({ about }) => about),
    ),
  )
  const parts = new Map<string, DriftPart>()
  const partOf = new Map<Chain, DriftPart>()
  const good = new Map<string, AnswerForm>()
  for (const { chain, about, form, reading } of seen) {
    const before = known.get(about)
    // A refusal in the provider's own form is reported as the problem of the series.
    if (reading.isRefused && before?.format === form.format) continue
    const signs = before === undefined ? [] : [...formSigns(before, form, reading.isEmpty), ...also(chain)]
    if (signs.length > 0) {
      const series = [...new Set([...(parts.get(about)?.series ?? []), ...chain.codes])]
      const part: DriftPart = {
        place: about,
        signs,
        lines: formLines(before!, form),
        series,
        fingerprint: fingerprintOf(about, signs),
        shapes: [{ kind, about, shape: form }],
      }
      parts.set(about, part)
      partOf.set(chain, part)
    } else if (reading.isGood) {
      const held = good.get(about) ?? before
      good.set(about, held === undefined ? form : mergeForms(held, form))
    }
  }
  const driftId = parts.size === 0 ? null : await raise(sql, provider.name, kind, [...parts.values()], now)
  const calm = [...good.keys()].filter(about => !parts.has(about))
  await settleDrift(sql, provider.name, kind, calm, now)
  const held = new Map(
    [...partOf].map(([chain, { signs, fingerprint }]) => [chain, { driftId, words: signWords(signs), fingerprint }]),
  )
  return {
    held,
    async accept() {
      for (const about of calm) {
        const [before, shape] = [known.get(about), good.get(about)!]
        if (before === undefined || !isDeepStrictEqual(before, shape))
          await saveShape(sql, provider.name, { kind, about, shape }, now)
      }
    },
  }
}

/** Sign that several series were asked for at once, and some are missing without a word. */
function lackingSign(
  { codes, parsedAnswers }: WatchedChain<ParsedAnswer>,
  expected: ReadonlySet<string>,
): readonly Sign[] {
  if (codes.length < 2 || parsedAnswers.some(({ problems }) => problems.length > 0)) return []
  const came = new Set(parsedAnswers.flatMap(({ series }) => series.map(({ code }) => code.toLowerCase())))
  const lacking = codes.filter(code => expected.has(code) && !came.has(code.toLowerCase()))
  if (came.size === 0 || lacking.length === 0) return []
  return [
    {
      kind: 'fewer-series',
      words: `${lacking.length} of ${codes.length} series are not there: ${lacking.slice(0, 5).join(', ')}`,
    },
  ]
}

/** Raises an alarm. A rejected change is not raised again; its id is returned. */
export async function raise(
  sql: Sql,
  provider: string,
  kind: RequestKind,
  parts: readonly DriftPart[],
  now: Instant,
): Promise<string | null> {
  const last = await lastDecidedDrift(sql, provider, kind)
  const known = new Set(last?.decision === 'rejected' ? last.parts.map(({ fingerprint }) => fingerprint) : [])
  const fresh = parts.filter(({ fingerprint }) => !known.has(fingerprint))
  return fresh.length === 0 ? last!.id : keepDrift(sql, provider, kind, fresh, now)
}

export function fingerprintOf(place: string, signs: readonly Sign[]): string {
  return createHash('sha256')
    .update(`${place}\n${signWords(signs)}`)
    .digest('hex')
}
