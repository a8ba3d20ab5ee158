import { describe, expect, test } from 'vitest'
import { providerNames } from '../../src/core/series/series.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import { suiteSeed } from '../faults/chance.ts'
import { instant } from '../stand-in/model.ts'
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
  /** The long form, 300 over recorded ones as well, is `npm run faults -- drift`. */
  const drawn = { count: 150, seed: suiteSeed, withRecorded: false }

  test('of those that stay readable, at most one in twenty goes unnoticed', () => {
    const { changed, kinds, unnoticed } = runDrift(drawn)
    expect({ changed, kinds: Object.keys(kinds).length }).toEqual({ changed: 150, kinds: 18 })
    expect(unnoticed).toEqual([])
  })

  test('a comparer that sees nothing is found out', () => {
    const { unnoticed } = runDrift({ ...drawn, count: 60 }, { formSigns: () => [], seriesSigns: () => [] })
    expect(unnoticed.length).toBeGreaterThan(3)
  })
})
