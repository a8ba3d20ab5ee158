// The mended lines of the PostgreSQL driver are there to be mended, and only they.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mendDriver } from './driver-repair.ts'

const driver = readFileSync(new URL('../../node_modules/postgres/src/connection.js', import.meta.url), 'utf8')

describe('the driver', () => {
  it('forgets a write that was put off when its connection closes, and writes to no socket that is gone', () => {
    const mended = mendDriver(driver)
    expect(driver).not.toContain('if (socket === null) {')
    expect(mended).toContain(
      '    if (socket === null) {\n      chunk = nextWriteTimer = null\n      return false\n    }',
    )
    expect(mended.split('chunk = nextWriteTimer = null').length).toBe(
      driver.split('chunk = nextWriteTimer = null').length + 3,
    )
  })

  it('asks for the types of arrays without ending the process when the connection dies meanwhile', () => {
    const call = 'return fetchArrayTypes()'
    expect(driver.split(`${call}\n`)).toHaveLength(2)
    expect(mendDriver(driver).split(`${call}.catch(() => {})\n`)).toHaveLength(2)
  })

  it('leaves another text as it is', () => {
    expect(mendDriver('export const x = 1\n')).toBe('export const x = 1\n')
  })
})
