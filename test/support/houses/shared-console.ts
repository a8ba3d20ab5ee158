// A console for files that keep to workspaces of their own: in a process they share one server, with its threads and its
// database, which is closed with the process.
import { test } from 'vitest'
import { openTestDatabase } from '../run/postgres.ts'
import { type Api, openApi } from './api.ts'
import { makeSeats, TestConsole } from './console.ts'

const sharing = test.extend<{ readonly api: Api }>({
  api: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what is needed.
    async ({}, use) => {
      const api = await openApi(await openTestDatabase())
      await use(api)
      await api.close()
    },
    { scope: 'worker' },
  ],
})

/**
 * For the top of a file, which gets a workspace of its own and makes more of them; it does not close the console. The
 * same people work in all of them, and none keeps more than `limits.sessionsPerPerson` sessions.
 */
export function shareConsole(use: (console: TestConsole) => unknown): void {
  sharing.beforeAll(async ({ api }) => {
    await use(new TestConsole(api, await makeSeats(api)))
  })
}
