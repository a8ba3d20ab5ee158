// F1 for rotations of the secret: killed while a server is asked, signs in and publishes.
import { expect } from 'vitest'
import { onlyLong } from '../support/run/long-form.ts'
import { scenario } from '../support/run/long-test.ts'
import { inFolder } from './grounds.ts'
import { killRotations } from './rotation-kills.ts'
import { rotateAmong } from './rotation-processes.ts'

scenario(
  'rotation-kills',
  'F1: a rotation that is killed under load signs nobody out, loses nothing, and goes on where it was',
  { short: 1, long: 15 },
  run =>
    inFolder(async ground => {
      const { failures, killed, answers } = await killRotations(ground, run)
      expect([killed > 0, answers > 20]).toEqual([true, true])
      return { summary: `${killed} killed before their end, ${answers} answers`, failures }
    }),
)

scenario(
  'rotation-processes',
  'F1: a rotation among several processes on one database, killed under load, signs nobody out and loses nothing',
  { short: 1, long: 6 },
  async run => {
    const { failures, killed, answers, feeds } = await rotateAmong(
      onlyLong('rotation-processes', 'three processes instead of two') ? 3 : 2,
      run,
    )
    expect([killed > 0, answers > 20, feeds > 0]).toEqual([true, true, true])
    return { summary: `${killed} killed before their end, ${answers} answers, ${feeds} feeds made`, failures }
  },
)
