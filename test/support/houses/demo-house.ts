// The demo in a database of its own, with a server over it, for the tests of one file.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type Instant, parseInstant } from '../../../src/core/time/instant.ts'
import type { DemoAgreement } from '../../../src/demo/agreements.ts'
import type { Demo, DemoInstallation } from '../../../src/demo/make.ts'
import type { TestDatabase } from '../run/postgres.ts'
import { openMadeDemo } from '../run/prepared-database.ts'
import { type Api, makeTestRing, openApi } from './api.ts'

export const demoFormulas: readonly DemoAgreement[] = [
  'steel-brackets',
  'bridge-engineering',
  'freight-surcharge',
  'office-lease',
]

export const now = (): Instant => parseInstant(new Date().toISOString())!
export const makeDemoFolder = () => mkdtemp(join(tmpdir(), 'assize-demo-'))
export const placeOf = ({ sql, owner }: Pick<TestDatabase, 'sql' | 'owner'>): DemoInstallation => ({
  sql,
  owner,
  ring: makeTestRing(),
})

interface DemoHouse {
  api: Api
  place: DemoInstallation
  folder: string
  demo: Demo
  madeAt: Instant
}

/** Its parts are there once the tests begin. */
export function demoHouse(): DemoHouse {
  const opened = {} as DemoHouse
  let copied: string
  beforeAll(async () => {
    copied = await makeDemoFolder()
    const { demo, madeAt, ...database } = await openMadeDemo(copied)
    opened.api = await openApi(database)
    opened.place = placeOf(opened.api)
    opened.folder = join(copied, 'data')
    Object.assign(opened, { demo, madeAt })
  })
  afterAll(async () => {
    await opened.api.close()
    await rm(copied, { recursive: true, force: true })
  })
  return opened
}
