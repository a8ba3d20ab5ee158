// The bodies to mutate: the stand-in's answers for a small series with distinct figures, in every format of a provider,
// errors included. No network is needed.

import type { ProviderName } from '../../src/core/series/series.ts'
import { dayOfInstant } from '../../src/core/time/instant.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import type { Answer, ProviderRequest } from '../../src/providers/provider.ts'
import { defaultSeries } from '../stand-in/data/default-series.ts'
import { instant, publish, type StandInSeries, serve } from '../stand-in/model.ts'
import { speak, standInKeys } from '../stand-in/speakers.ts'

/** A correct answer and the request it belongs to. */
export interface Specimen {
  readonly request: ProviderRequest
  readonly answer: Answer
}

const now = instant('2026-06-10')

/** Digits that a float would lose, zeros that it would drop, and figures that occur only once. */
const figures = [
  '71.384',
  '0.5713',
  '1.10',
  '100.000',
  '4.62416666666678912',
  '12345678.9',
  '39520274',
  '-3.25',
  '82.617',
  '83.1',
  '84.0072',
  '19.93',
] as const

const periods = {
  DAILY: figures.map((_, at) => `2024-03-${(at + 4).toString().padStart(2, '0')}`),
  WEEKLY: figures.map((_, at) => `2024-W${(at + 10).toString()}`),
  MONTHLY: figures.map((_, at) => `2024-${(at + 1).toString().padStart(2, '0')}`),
  QUARTERLY: figures.map((_, at) => `${2021 + Math.floor(at / 4)}-Q${(at % 4) + 1}`),
  SEMIANNUAL: figures.map((_, at) => `${2015 + Math.floor(at / 2)}-H${(at % 2) + 1}`),
  ANNUAL: figures.map((_, at) => `${2010 + at}`),
} as const

function withFigures(series: StandInSeries): StandInSeries {
  const own = periods[series.frequency]
  const entries = figures.map((figure, at) =>
    publish(own[at]!, figure, `2025-0${(at % 5) + 1}-15T13:30:00Z`, at === 10 ? 'PRELIMINARY' : 'FINAL'),
  )
  return { ...series, publications: [...entries, publish(own[2]!, null, '2025-07-15T13:30:00Z')] }
}

/** Answers of a provider: one series, several, an unknown one, a wrong key. */
export function specimensOf(provider: ProviderName): readonly Specimen[] {
  const series = defaultSeries(provider).slice(-4).map(withFigures)
  const codes = series.map(({ code }) => code)
  const key = standInKeys[provider] ?? null
  const unknown = codes[0]!.replace(/[A-Za-z0-9]+$/, letters => (/^v?\d+$/.test(letters) ? 'v7' : 'ZZZ'))
  return [
    ...ask(provider, series, [codes[0]!], key),
    ...ask(provider, series, codes, key).slice(0, 3),
    ...ask(provider, series, [unknown], key).slice(0, 2),
    ...(key === null ? [] : ask(provider, series, [codes[0]!], 'wrong-key').slice(0, 1)),
    ...secondForms(provider, series, [codes[0]!], key),
  ]
}

/** Formats that a connector can read but does not request: FRED without its file type, Eurostat's other service. */
function secondForms(
  provider: ProviderName,
  series: readonly StandInSeries[],
  codes: readonly string[],
  key: string | null,
): readonly Specimen[] {
  const [first] = ask(provider, series, codes, key)
  const path = first?.request.path ?? ''
  if (provider === 'FRED') {
    return [answerTo(provider, series, { ...first!.request, path: path.replace('file_type=json&', '') })]
  }
  if (provider !== 'EUROSTAT') return []
  return [
    answerTo(provider, series, { ...first!.request, path: `/statistics/1.0/data/${codes[0]!.split('/')[0]}?lang=EN` }),
  ]
}

function ask(
  provider: ProviderName,
  series: readonly StandInSeries[],
  codes: readonly string[],
  key: string | null,
): readonly Specimen[] {
  const from = dayOfInstant(instant('2010-01-01'))
  const requests = safely(() =>
    providers[provider].request({ codes, from, changedSince: null, today: dayOfInstant(now), key }),
  )
  return requests.flatMap(request => {
    const specimen = answerTo(provider, series, request)
    const next = providers[provider].next?.(request, specimen.answer) ?? null
    return next === null ? [specimen] : [specimen, answerTo(provider, series, next)]
  })
}

function answerTo(provider: ProviderName, series: readonly StandInSeries[], request: ProviderRequest): Specimen {
  const { status, contentType, body } = speak(
    provider,
    series.map(each => serve(each, now)),
    request,
    now,
  )
  return {
    request,
    answer: { status, contentType, url: `http://127.0.0.1${request.path}`, codes: request.codes, body },
  }
}

/** A provider may refuse a code made up for a test. */
function safely(make: () => readonly ProviderRequest[]): readonly ProviderRequest[] {
  try {
    return make()
  } catch {
    return []
  }
}
