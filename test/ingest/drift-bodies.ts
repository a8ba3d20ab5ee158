// Good answers of all providers: of the stand-in at several moments, in each provider's exact shape, and recorded ones where
// there are any.
import { type ProviderName, providerNames } from '../../src/core/series/series.ts'
import type { Day } from '../../src/core/time/day.ts'
import { dayOfInstant, type Instant } from '../../src/core/time/instant.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import type { Answer, ProviderRequest } from '../../src/providers/provider.ts'
import { defaultSeries } from '../stand-in/data/default-series.ts'
import { instant, type StandInSeries, serve } from '../stand-in/model.ts'
import { speak, standInKeys } from '../stand-in/speakers.ts'
import { expectedOf, recordedAnswer, recordingsOf } from '../support/files/recordings.ts'

export const moments = [instant('2025-11-10'), instant('2025-12-19'), instant('2026-03-05'), instant('2026-06-20')]
export const from: Day = dayOfInstant(instant('2024-01-01'))

/** Every answer that a refresh of these series would bring, further pages included. */
export function answersAt(provider: ProviderName, series: readonly StandInSeries[], now: Instant): readonly Answer[] {
  const codes = series.map(({ code }) => code)
  const key = standInKeys[provider] ?? null
  const served = series.map(each => serve(each, now))
  const answers: Answer[] = []
  const { baseUrl, request, next } = providers[provider]
  const asked = request({ codes, from, changedSince: null, today: dayOfInstant(now), key })
  for (const first of asked) {
    let each: ProviderRequest | null | undefined = first
    for (let page = 0; each != null && page < 5; page++) {
      const { status, contentType, body } = speak(provider, served, each, now)
      const answer: Answer = { status, contentType, url: `${baseUrl}${each.path}`, codes: each.codes, body }
      answers.push(answer)
      each = next?.(each, answer)
    }
  }
  return answers
}

/** A few of each frequency that the provider has: enough for every form of its answers. */
export function someSeries(provider: ProviderName): readonly StandInSeries[] {
  return defaultSeries(provider)
    .filter(({ frequency }) => frequency !== 'DAILY' && frequency !== 'WEEKLY')
    .slice(0, 6)
}

/** Recorded answers of which is known what is to be read: the whole history as far as it was recorded. */
export function recordedAnswers(): readonly { readonly provider: ProviderName; readonly answer: Answer }[] {
  return providerNames.flatMap(provider =>
    recordingsOf(provider.toLowerCase().replaceAll('_', '-')).flatMap(recording => {
      const expected = expectedOf(recording)
      if (expected === null || expected.series.length === 0) return []
      return [
        {
          provider,
          answer: recordedAnswer(
            recording,
            expected.series.map(({ code }) => code),
          ),
        },
      ]
    }),
  )
}
