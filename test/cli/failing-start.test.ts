// When a server or a command cannot start, it says why in one line, exits with a status other than 0, and leaves nothing
// behind: no process, no database, no open port.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { spawnProgram } from '../support/houses/command-house.ts'
import { copyInstallation } from '../support/run/prepared-folder.ts'
import { freePort } from '../support/run/redis.ts'

let folder: string
let data: string
let taken: Server
let port: string
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'assize-start-')))
  data = join(folder, 'data')
  await copyInstallation(data)
  taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  port = `${(taken.address() as { port: number }).port}`
})
afterAll(async () => {
  taken.close()
  await rm(folder, { recursive: true, force: true })
})

const isOpen = (at: number) =>
  fetch(`http://127.0.0.1:${at}/v1/health`).then(
    () => true,
    () => false,
  )

describe('a server that cannot start', () => {
  test.each(['METRICS_PORT', 'PORT'])(
    'reports that the port of %s is in use, and stops what it has started',
    async name => {
      const free = await freePort()
      const env = { PORT: `${free}`, METRICS_PORT: `${await freePort()}`, ASSIZE_DATA: data, [name]: port }
      expect(await spawnProgram(['serve'], { ...env, LOG_LEVEL: 'silent' }, '')).toEqual({
        status: 1,
        out: '',
        err: `assize: port ${port} is in use; set ${name} to another\n`,
      })
      expect(existsSync(join(data, 'database', 'postmaster.pid'))).toBe(false)
      expect(await isOpen(free)).toBe(false)
    },
  )

  test('reports that metrics need their own port', async () => {
    const free = `${await freePort()}`
    const env = { PORT: free, METRICS_PORT: free, ASSIZE_DATA: data, LOG_LEVEL: 'silent' }
    const { status, err } = await spawnProgram(['serve'], env, '')
    expect({ status, err }).toEqual({ status: 1, err: `assize: port ${free} is in use; set PORT to another\n` })
  })

  test('reports what is wrong with its data folder', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    for (const [place, why] of [
      [file, 'something else has that name'],
      [join(file, 'data'), 'part of the path is not a folder'],
    ] as const)
      expect(await spawnProgram(['serve'], { ASSIZE_DATA: place }, '')).toEqual({
        status: 1,
        out: '',
        err: `assize: ${place} cannot be used: ${why}\n`,
      })
  })
})

describe('a command whose file cannot be written', () => {
  test('reports it in one line', async () => {
    const { status, err } = await spawnProgram(['backup', join(folder, 'none', 'b')], { ASSIZE_DATA: data }, '')
    expect(status).toBe(1)
    expect(err).toMatch(/^assize: \S+ cannot be used: there is no such file or folder\n$/)
  })
})
