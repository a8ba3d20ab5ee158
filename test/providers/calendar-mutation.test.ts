// Readers of calendars under mutation: a damaged body is read without an exception, and every day read from it stands in it.
import { describe, expect, test } from 'vitest'
import type { ProviderName } from '../../src/core/series/series.ts'
import { formatDay, parseDay } from '../../src/core/time/day.ts'
import { dayOfInstant, parseInstant } from '../../src/core/time/instant.ts'
import { parsePeriod } from '../../src/core/time/period.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import { type Answer, type ParsedReleases, type ProviderRequest, problemKinds } from '../../src/providers/provider.ts'
import { Chance, suiteSeed } from '../faults/chance.ts'
import { answerCalendar } from '../stand-in/calendars.ts'
import { defaultReleases } from '../stand-in/data/default-releases.ts'
import { defaultSeries } from '../stand-in/data/default-series.ts'
import { instant, serve } from '../stand-in/model.ts'
import { standInKeys } from '../stand-in/speakers.ts'
import { roundsOf, seedOr } from '../support/run/long-form.ts'
import { mutators } from './mutators.ts'

const now = instant('2026-11-18')
const today = dayOfInstant(now)

interface Specimen {
  readonly request: ProviderRequest
  readonly answer: Answer
}

/** The stand-in's calendars, without a network; what the stand-in for values answers is left to its own tests. */
function specimensOf(provider: ProviderName): readonly Specimen[] {
  const part = providers[provider].releases!
  const series = defaultSeries(provider)
  const codes = series.map(({ code }) => code)
  const key = standInKeys[provider] ?? null
  const known = new Map(provider === 'FRED' ? codes.slice(1).map(code => [code, '10']) : [])
  return part.requests({ today, key, codes, known }).flatMap(request => {
    const url = new URL(request.path, 'http://stand-in')
    const told = answerCalendar(
      provider,
      {
        method: request.method,
        path: decodeURIComponent(url.pathname),
        query: url.searchParams,
        headers: {},
        body: request.body ?? '',
        now,
        series: series.map(each => serve(each, now)),
        keys: key === null ? [] : [key],
        pageSize: 1000,
        neverEnds: false,
      },
      defaultReleases(provider, today),
    )
    if (told === null) return []
    const { status, contentType, body } = told
    return [{ request, answer: { status, contentType, url: request.path, codes: request.codes, body } }]
  })
}

/** What is wrong with what was read from a body; null if nothing is. */
function faultOf({ releases, unread, problems }: ParsedReleases, body: string): string | null {
  for (const { period, at, release, title, sourceId } of releases) {
    if (period !== null && parsePeriod(period) === null) return `the period ${period}`
    if (release === '' || title === '' || sourceId === '') return `an entry without a name: ${JSON.stringify(title)}`
    const day = parseDay(at) ?? (parseInstant(at) === at ? dayOfInstant(at) : null)
    if (day === null) return `the date ${at}`
    // In the zone of its source an instant may be of the day before or after.
    const written = [day - 1, day, day + 1].map(formatDay).flatMap(text => [text, text.replaceAll('-', '')])
    if (!written.some(text => body.includes(text))) return `${at} is not in the body`
  }
  const words = [...unread, ...problems.map(({ message }) => message)]
  if (words.some(text => text === '' || text.length > 300 || /[\n\r]/.test(text))) return 'words that are not one line'
  return problems.some(({ kind }) => !problemKinds.includes(kind)) ? 'a problem of no kind' : null
}

describe.each(['BLS', 'FRED', 'EUROSTAT', 'ONS', 'STATCAN', 'BIS'] as const)('the calendar of %s', provider => {
  const part = providers[provider].releases!
  const specimens = specimensOf(provider)

  test('damaged bodies are read without an exception or an invented date', () => {
    expect(specimens.some(({ answer }) => part.read(answer).releases.length > 10)).toBe(true)
    const failures: string[] = []
    let entries = 0
    for (
      let at = 0;
      at < roundsOf('properties', 'damaged calendars of each provider', 100, 1_000) && failures.length < 10;
      at++
    ) {
      const chance = new Chance(seedOr(suiteSeed) + at * 7919)
      const { request, answer } = chance.pick(specimens)
      let { body } = answer
      // Folded lines are joined first, so that a mutation cannot make a date of two lines.
      body = body.replace(/\r\n /g, '')
      for (let times = chance.int(1, 3); times > 0 && body !== ''; times--) body = chance.pick(mutators)(body, chance)
      try {
        const parsed = part.read({ ...answer, body })
        part.next?.(request, { ...answer, body })
        entries += parsed.releases.length
        const fault = faultOf(parsed, body.replace(/(?:\r\n|\n|\r)[ \t]/g, ''))
        if (fault !== null) failures.push(`mutation ${at}: ${fault}`)
      } catch (error) {
        failures.push(`mutation ${at} threw ${(error as Error).stack}`)
      }
    }
    expect(failures).toEqual([])
    // Most mutations leave something to read.
    expect(entries).toBeGreaterThan(50)
  })
})
