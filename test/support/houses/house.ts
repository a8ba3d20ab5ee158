// The house that a test file works in, for the top of the file: a database, the server over it, a workspace with its key, and
// people who are signed in; or whatever else is opened before the first test and closed after the last.
import { afterAll, beforeAll, test } from 'vitest'
import { openTestDatabase } from '../run/postgres.ts'
import { type Api, openApi, type Tenant } from './api.ts'
import { makeSeats, TestConsole } from './console.ts'

const sharing = test.extend<{ readonly api: Api }>({
  api: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what is needed.
    async ({}, use) => {
      const api = await openOwnApi()
      await use(api)
      await api.close()
    },
    { scope: 'worker' },
  ],
})

/** A house may take minutes to open on a busy machine. */
const patienceMs = 400_000

export interface House {
  readonly api: Api
  /** A workspace of the file's own; it makes more of them. */
  readonly tenant: Tenant
}

/**
 * For a file that keeps to workspaces of its own: all such files of a process share one server, with its threads and its
 * database. A file may restart the server, and does not close it.
 */
export function house(): House {
  let opened: House | null = null
  sharing.beforeAll(async ({ api }) => {
    opened = { api, tenant: await api.tenant() }
  }, patienceMs)
  return { api: whenOpen(() => opened?.api), tenant: whenOpen(() => opened?.tenant) }
}

/**
 * The same with people in the workspace, each with a session in a browser. The same people work in all workspaces of the
 * process, and none keeps more than `limits.sessionsPerPerson` sessions.
 */
export function consoleHouse(): TestConsole {
  let opened: TestConsole | undefined
  sharing.beforeAll(async ({ api }) => {
    opened = new TestConsole(api, await makeSeats(api))
  }, patienceMs)
  return whenOpen(() => opened)
}

/** For a file that needs a house to itself: another kind, other settings, or because it looks at all of it. */
export function ownHouse<T extends { close(): Promise<unknown> }>(open: () => Promise<T>): T {
  let opened: T | undefined
  beforeAll(async () => {
    opened = await open()
  }, patienceMs)
  afterAll(() => opened?.close())
  return whenOpen(() => opened)
}

/** A server of its own over a database of its own. */
export const openOwnApi = async () => openApi(await openTestDatabase())

/** Stands for what is opened before the first test, from the top of the file on. */
function whenOpen<T extends object>(look: () => T | undefined): T {
  return new Proxy({} as T, {
    get(_, name) {
      const opened = look()
      if (opened === undefined) throw new Error('this is not open before the first hook or test of the file')
      const found = Reflect.get(opened, name, opened)
      // What a class has for all of its kind must know whose it is.
      return typeof found === 'function' && !Object.hasOwn(opened, name) ? found.bind(opened) : found
    },
  })
}
