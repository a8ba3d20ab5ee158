// F1 for rotations of the secret: killed while a server is asked, signs in and publishes.
import { expect } from 'vitest'
import { scenario } from '../support/run/long-test.ts'
import { inFolder } from './grounds.ts'
import { killRotations } from './rotation-kills.ts'

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
