// The demo in a database of its own, with a server over it, for the tests of one file.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type Instant, parseInstant } from '../../../src/core/time/instant.ts'
import type { DemoAgreement } from '../../../src/demo/agreements.ts'
import { type Demo, makeDemo, type Place } from '../../../src/demo/make.ts'
import { openTestDatabase, type TestDatabase } from '../run/postgres.ts'
import { type Api, openApi, testSecret } from './api.ts'

export const demoFormulas: readonly DemoAgreement[] = [
  'steel-brackets',
  'bridge-engineering',
  'freight-surcharge',
  'office-lease',
]

export const now = (): Instant => parseInstant(new Date().toISOString())!
export const makeDemoFolder = () => mkdtemp(join(tmpdir(), 'assize-demo-'))
export const placeOf = ({ sql, owner }: Pick<TestDatabase, 'sql' | 'owner'>): Place => ({
  ...{ sql, owner, secret: testSecret },
})

interface DemoHouse {
  api: Api
  place: Place
  folder: string
  demo: Demo
}

/** Its parts are there once the tests begin. */
export function demoHouse(madeAt: Instant): DemoHouse {
  const opened = {} as DemoHouse
  beforeAll(async () => {
    opened.api = await openApi(await openTestDatabase())
    opened.place = placeOf(opened.api)
    opened.folder = await makeDemoFolder()
    opened.demo = await makeDemo(opened.place, opened.folder, madeAt)
  })
  afterAll(async () => {
    await opened.api.close()
    await rm(opened.folder, { recursive: true, force: true })
  })
  return opened
}
