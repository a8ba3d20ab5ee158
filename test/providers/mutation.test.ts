import { describe, expect, test } from 'vitest'
import { providerNames } from '../../src/core/series/series.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import { watchMutations } from '../faults/watched-mutations.ts'
import { scenario } from '../support/run/long-test.ts'
import { runMutations } from './mutation.ts'
import { specimensOf } from './mutation-bodies.ts'

describe.each(providerNames)('%s', provider => {
  test('its bodies are readable before they are damaged', () => {
    const specimens = specimensOf(provider)
    const answers = specimens.map(({ answer }) => providers[provider].read(answer))
    const figures = answers.flatMap(({ series }) => series.flatMap(({ observations }) => observations))
    expect(figures.map(({ value }) => value)).toContain('4.62416666666678912')
  })

  scenario(
    'mutation',
    'F14: damaged bodies are read without an exception or an invented figure',
    { short: 600, long: 100_000 },
    async ({ rounds: count, seed, isTimed }) => {
      const damaged = { count, seed }
      const { failures, figures } = isTimed ? await watchMutations(provider, damaged) : runMutations(provider, damaged)
      expect(figures).toBeGreaterThan(count)
      return { summary: `${provider}: ${count} mutations, ${figures} figures read`, failures }
    },
  )
})

test('an error with a blank message still gets a message', () => {
  for (const provider of ['ABS', 'OECD'] as const)
    expect(runMutations(provider, { count: 2000, seed: 954_224 }).failures).toEqual([])
})
