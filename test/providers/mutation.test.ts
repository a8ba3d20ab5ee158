import { describe, expect, test } from 'vitest'
import { providerNames } from '../../src/core/series/series.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import { suiteSeed } from '../faults/chance.ts'
import { runMutations } from './mutation.ts'
import { specimensOf } from './mutation-bodies.ts'

/** The long form, a hundred thousand each, is `npm run faults -- mutation`. */
const count = 600

describe.each(providerNames)('%s', provider => {
  test('its bodies are readable before they are damaged', () => {
    const specimens = specimensOf(provider)
    const answers = specimens.map(({ answer }) => providers[provider].read(answer))
    const figures = answers.flatMap(({ series }) => series.flatMap(({ observations }) => observations))
    expect(figures.map(({ value }) => value)).toContain('4.62416666666678912')
  })

  test('damaged bodies are read without an exception or an invented figure', () => {
    const { failures, figures } = runMutations(provider, { count, seed: suiteSeed })
    expect(failures).toEqual([])
    expect(figures).toBeGreaterThan(count)
  })
})

test('an error with a blank message still gets a message', () => {
  for (const provider of ['ABS', 'OECD'] as const)
    expect(runMutations(provider, { count: 2000, seed: 954_224 }).failures).toEqual([])
})
