// Judges answers as ingest does, without a database: what is known after good answers, and what is noticed about the next.
import type { Vintage } from '../../src/core/series/series.ts'
import type { Day } from '../../src/core/time/day.ts'
import { type Instant, parseDayOrInstant } from '../../src/core/time/instant.ts'
import { parsePeriod } from '../../src/core/time/period.ts'
import { compareSeries, quarantineReason, type StoredSeries } from '../../src/ingest/compare.ts'
import { type AnswerForm, formOf } from '../../src/ingest/drift/form.ts'
import { formSigns, mergeForms } from '../../src/ingest/drift/form-comparison.ts'
import { dataSetOfAll, routeOf } from '../../src/ingest/drift/places.ts'
import { type SeriesShape, seriesShapeOf, seriesSigns } from '../../src/ingest/drift/series-signs.ts'
import type { Sign } from '../../src/ingest/drift/sign.ts'
import type { Answer, ParsedAnswer, ParsedSeries, Provider } from '../../src/providers/provider.ts'

/** The comparers under test; one that is blind is planted in their place. */
export interface Comparers {
  readonly formSigns: typeof formSigns
  readonly seriesSigns: typeof seriesSigns
}
export const ownComparers: Comparers = { formSigns, seriesSigns }

interface Kept {
  readonly shape: SeriesShape
  readonly stored: StoredSeries
}

/** What is known of one provider. */
export class Known {
  readonly provider: Provider
  readonly #forms = new Map<string, AnswerForm>()
  readonly #series = new Map<string, Kept>()
  readonly #comparers: Comparers

  constructor(provider: Provider, comparers: Comparers = ownComparers) {
    this.provider = provider
    this.#comparers = comparers
  }

  #place(answer: Answer): string {
    return `${dataSetOfAll(this.provider, answer.codes)} ${routeOf(answer.url, answer.codes)}`
  }

  /** Takes an answer as good. */
  accept(answer: Answer, at: Instant): void {
    const { form, labels } = formOf(answer, this.provider)
    const before = this.#forms.get(this.#place(answer))
    this.#forms.set(this.#place(answer), before === undefined ? form : mergeForms(before, form))
    const { series } = this.provider.read(answer)
    for (const parsed of series) {
      const held = this.#series.get(parsed.code)
      const kept = seriesShapeOf(parsed, series.length === 1 ? labels : {}, null)
      // An answer without figures or without a head says nothing about the other.
      const shape: SeriesShape = {
        ...kept,
        title: kept.title ?? held?.shape.title ?? null,
        unit: kept.unit ?? held?.shape.unit ?? null,
        labels: { ...held?.shape.labels, ...kept.labels },
      }
      this.#series.set(parsed.code, { shape, stored: merge(held?.stored, parsed, shape.unit ?? '', at) })
    }
  }

  /** What is noticed about an answer, in words; nothing for a good one. */
  notice(answer: Answer, from: Day | null, now: Instant): readonly string[] {
    const parsed = this.#read(answer)
    const { form, labels } = formOf(answer, this.provider)
    const before = this.#forms.get(this.#place(answer))
    const isEmpty = parsed.series.length + parsed.problems.length === 0
    const signs = before === undefined ? [] : this.#comparers.formSigns(before, form, isEmpty)
    const asked = answer.codes.filter(code => (this.#series.get(code)?.stored.vintages.size ?? 0) > 0)
    const hadFigures = before !== undefined && asked.length > 0 && !routeOf(answer.url, answer.codes).endsWith('series')
    const lacking = asked.filter(code => hadFigures && !parsed.series.some(each => each.code === code))
    return [
      ...parsed.problems.map(({ kind, message }) => `refused: ${kind}: ${message}`),
      ...signs.map(written),
      ...lacking.map(code => `refused: ${code} was asked for and is not there`),
      ...parsed.series.flatMap(each => this.#noticeSeries(each, parsed.series.length === 1 ? labels : {}, from, now)),
    ]
  }

  #read(answer: Answer): ParsedAnswer {
    return this.provider.read(answer)
  }

  #noticeSeries(
    parsed: ParsedSeries,
    labels: SeriesShape['labels'],
    from: Day | null,
    now: Instant,
  ): readonly string[] {
    const kept = this.#series.get(parsed.code)
    if (kept === undefined) return []
    const { stored, shape } = kept
    const isHead = parsed.observations.length + parsed.missing.length === 0
    if (parsed.frequency !== stored.frequency) return [`refused: it is now ${parsed.frequency}`]
    const asked = { from, isDelta: isHead, isComplete: !isHead, now }
    const comparison = compareSeries(parsed, stored, asked)
    const signs = this.#comparers.seriesSigns({ kept: shape, stored, parsed, labels, comparison, asked })
    const reason = quarantineReason(comparison)
    return [...signs.map(written), ...(reason === null ? [] : [`plausibility: ${reason}`])]
  }
}

function written({ kind, words }: Sign): string {
  return `shape: ${kind}: ${words}`
}

function merge(held: StoredSeries | undefined, parsed: ParsedSeries, unit: string, at: Instant): StoredSeries {
  const vintages = new Map<number, readonly Vintage[]>(held?.vintages)
  for (const { period, value, version, flag, published } of parsed.observations) {
    const { ordinal } = parsePeriod(period)!
    const publishedAt = (published === null ? null : parseDayOrInstant(published)) ?? at
    const before = (vintages.get(ordinal) ?? []).filter(each => each.publishedAt !== publishedAt)
    vintages.set(ordinal, [...before, { value, tag: version, flag, publishedAt, recordedAt: at }])
  }
  return { unit, frequency: parsed.frequency, vintages }
}
