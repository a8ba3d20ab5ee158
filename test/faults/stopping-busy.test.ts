// SIGTERM while every worker of the server is busy with oversized work: it stops by itself, answers every waiting client, and
// leaves nothing behind.
import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeLimits } from '../../src/http/traffic/place-limits.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { slowDocuments } from '../support/agreements/slow-documents.ts'
import { Browser, type ConsoleReply, join as joinPeople, password } from '../support/houses/console.ts'
import { openInstallation } from '../support/run/prepared-folder.ts'
import { processesOf } from '../support/run/processes-of.ts'
import { serveFolder } from './served-process.ts'

/** As many as there are threads for either kind of work: one workspace alone cannot get all of them. */
const slugs = Array.from(
  { length: Math.max(placeLimits.computing.threads, placeLimits.fileReading.threads) },
  (_, i) => `w${i}`,
)
const previewsEach = 16

let folder: string
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'assize-stop-')))
  const installation = await openInstallation(folder, { connections: 1 })
  for (const slug of slugs) {
    const { id } = await createWorkspace(installation.owner, { slug })
    await joinPeople(installation, id, `${slug}@owner.test`, 'owner')
  }
  // From here on only the server uses the database.
  await installation.close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const rows = Array.from({ length: 400_000 }, (_, i) => `CUSTOM/s${i % 4_000},${1900 + (i % 100)},${i}.5\n`)
const table = `series,period,value\n${rows.join('')}`
const texts = slowDocuments({ steps: 100 }).map(({ text }) => text)

test('SIGTERM ends a server whose workers are all busy, with status 0, and nothing is left behind', async () => {
  const server = await serveFolder(folder, { env: { LOG_LEVEL: 'warn' } })
  expect((await processesOf(folder)).length).toBeGreaterThan(1)
  const browsers = slugs.map(slug => {
    const { client } = server
    return new Browser({ client, ask: (path, asking) => client.ask(path, asking) }, slug)
  })
  for (const browser of browsers)
    expect((await browser.signIn(`${browser.slug}@owner.test`, password)).status).toBe(200)
  const lost: unknown[] = []
  const note = (asked: Promise<ConsoleReply>) => asked.catch(error => void lost.push(error))
  const previews = browsers.flatMap(browser =>
    Array.from({ length: previewsEach }, (_, i) =>
      note(browser.post('/agreements/preview', { text: texts[i % texts.length]!, against: null })),
    ),
  )
  const uploads = browsers.map(browser => note(browser.upload('/series/upload?file=many.csv&mode=preview', table)))
  await sleep(2_000)
  server.signal('SIGTERM')
  // npm passes on a signal that the server has already got from the terminal.
  await sleep(50)
  server.signal('SIGINT')
  try {
    await expect.poll(() => server.isAlive()).toBe(false)
  } finally {
    // Ends it if it did not end by itself.
    await server.stop()
  }
  expect([server.exitStatus(), server.log()]).toEqual([0, ''])
  const replies = (await Promise.all([...previews, ...uploads])).filter(reply => reply !== undefined)
  expect(lost).toEqual([])
  const stopping = replies.filter(({ text }) => text.includes('the server is stopping; try again'))
  // They were being processed, and every one of them got an answer.
  expect(stopping.length).toBeGreaterThan(slugs.length)
  for (const { status, text } of replies) if (status !== 200) expect([status, text]).toEqual([503, expect.any(String)])
  expect(await processesOf(folder)).toEqual([])
  expect(existsSync(join(folder, 'database', 'postmaster.pid'))).toBe(false)
})
