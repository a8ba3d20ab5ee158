// Faults planted in the source, one at a time: the check for it must detect it, and report nothing without it.
import { describe, expect, test } from 'vitest'
import { type Check, faults } from './faults.ts'
import type { Exchange } from './plant.ts'
import { runPlanted } from './planted-process.ts'

const run = (check: Check, exchanges: readonly Exchange[]) =>
  runPlanted('run-with-fault.ts', [check, JSON.stringify(exchanges)])

describe('without a fault', () => {
  test.each<Check>(['cuts', 'slice tags', 'lengths'])('the check of %s sees nothing', async check => {
    expect(await run(check, [])).toEqual({ status: 0, out: '', err: '' })
  })
})

describe('a planted fault is found', () => {
  test.each(Object.keys(faults))('%s', async name => {
    const { check, file, right, wrong } = faults[name]!
    const outcome = await run(check, [{ file, right, wrong }])
    expect(outcome).toEqual({ status: 1, out: expect.stringMatching(/^found: /), err: '' })
  })
})
