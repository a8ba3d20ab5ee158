import { describe, expect, test } from 'vitest'
import { scenario } from '../support/run/long-test.ts'
import { forgeAtRandom, forgedBatches, forgeries, isGenuineAccepted, whyRefused } from './forged-receipts.ts'

describe('F19: a forged receipt', () => {
  test('is distinguished from genuine ones, all of which are accepted', async () => {
    expect(await isGenuineAccepted()).toBe(true)
    expect(forgeries.length).toBeGreaterThanOrEqual(60)
    expect(new Set(forgeries.map(([, forge]) => forge())).size).toBe(forgeries.length)
  })

  test.each(forgeries)('is not accepted: %s', async (_name, forge) => {
    expect(await whyRefused(forge())).not.toBeNull()
  })

  test.each(forgedBatches)('is not accepted by a list of one touch: %s', async (_name, forge, why) => {
    expect(await whyRefused(forge())).toContain(why)
  })

  scenario(
    'forged',
    'F19: is not accepted with any one place changed at random',
    { short: 100, long: 20_000 },
    async run => ({
      summary: `${run.rounds} at random`,
      failures: await forgeAtRandom(run),
    }),
  )
})
