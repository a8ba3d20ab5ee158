import { describe, expect, test } from 'vitest'
import { providerNames } from '../../src/core/series/series.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import { suiteSeed } from '../faults/chance.ts'
import { instant } from '../stand-in/model.ts'
import { scenario } from '../support/run/long-test.ts'
import { answersAt, from, moments, recordedAnswers, someSeries } from './drift-bodies.ts'
import { Known } from './drift-judge.ts'
import { runDrift } from './drift-mutation.ts'

describe('good answers raise no alarm', () => {
  test.each(providerNames)('%s: the first ones ever, and those with new periods and revisions after them', provider => {
    const known = new Known(providers[provider])
    const series = someSeries(provider)
    for (const now of moments) {
      const answers = answersAt(provider, series, now)
      expect(answers.flatMap(answer => known.notice(answer, from, now))).toEqual([])
      for (const answer of answers) known.accept(answer, now)
    }
  })

  test('recorded ones, each after itself', () => {
    const now = instant('2027-06-01')
    for (const { provider, answer } of recordedAnswers()) {
      const known = new Known(providers[provider])
      const problems = providers[provider]
        .read(answer)
        .problems.map(({ kind, message }) => `refused: ${kind}: ${message}`)
      expect(known.notice(answer, null, now)).toEqual(problems)
      known.accept(answer, now)
      expect({ provider, noticed: known.notice(answer, null, now) }).toEqual({ provider, noticed: problems })
    }
  })
})

describe('changed answers are noticed', () => {
  /** The long form changes recorded answers too. */
  scenario(
    'drift',
    'F35: of those that stay readable, at most one in twenty goes unnoticed',
    { short: 150, long: 300 },
    ({ rounds: count, seed, isTimed, say }) => {
      const { changed, kinds, unnoticed } = runDrift({ count, seed, withRecorded: isTimed === true })
      for (const [kind, times] of Object.entries(kinds).sort())
        say(`${kind}: ${times}, ${unnoticed.filter(each => each.startsWith(`${kind}: `)).length} unnoticed`)
      for (const each of unnoticed) say(`unnoticed: ${each}`)
      if (!isTimed) expect([Object.keys(kinds).length, unnoticed]).toEqual([18, []])
      expect(changed).toBeGreaterThanOrEqual(count)
      expect(unnoticed.length * 20).toBeLessThanOrEqual(changed)
      return { summary: `${changed} changed answers, ${unnoticed.length} unnoticed`, failures: [] }
    },
  )

  test('a comparer that sees nothing is found out', () => {
    const { unnoticed } = runDrift(
      { count: 60, seed: suiteSeed, withRecorded: false },
      { formSigns: () => [], seriesSigns: () => [] },
    )
    expect(unnoticed.length).toBeGreaterThan(3)
  })
})
