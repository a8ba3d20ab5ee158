// Fault tests about work that one workspace gives the server while others wait: hostile documents, oversized archives, and
// pools that a few requests try to own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import type { Ground } from '../support/houses/api.ts'
import { makeSeats, openConsole, type TestConsole } from '../support/houses/console.ts'
import { burstArchives } from './bursting-archives.ts'
import type { Fault, FaultOutcome } from './fault.ts'
import { openFolderGround } from './grounds.ts'
import { sendHostileDocuments } from './hostile-documents.ts'
import { ownThePools } from './hostile-pools.ts'

/** A server in this process, with its own folder for uploads; its database is removed when it closes. */
export async function withConsole<T>(
  work: (console: TestConsole) => Promise<T>,
  ground: Ground,
  secret?: string,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-work-'))
  const env = { ASSIZE_DATA: folder, LOG_LEVEL: 'warn' }
  const console = await openConsole({ env, ...(secret === undefined ? {} : { secret }) }, ground)
  try {
    return await work(console)
  } finally {
    await console.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Over a database of its own. */
async function alone(work: (console: TestConsole) => Promise<FaultOutcome>): Promise<FaultOutcome> {
  const ground = await openFolderGround()
  return withConsole(work, ground, ground.secret)
}

export const hostileDocumentsFault: Fault = {
  id: 'F17',
  words: 'documents made to be slow, previewed and saved, while another workspace is answered',
  rounds: 5_000,
  run: run =>
    alone(async console => {
      const { failures, units, answered, refused } = await attack(console, run)
      const calm = `${answered} answers to others, at most ${Math.ceil(units)} units of work in one turn`
      return { summary: `${refused} refused or blocked, ${calm}`, failures }
    }),
}

/** Each time on workspaces of its own, so that it can be tried again. */
export async function attack({ api }: TestConsole, run: Parameters<Fault['run']>[0]) {
  const quiet = await api.tenant()
  await quiet.import(bracketsTable)
  await quiet.apply(bracketsDocument())
  const { as } = await makeSeats(api, 'hostile-')
  return sendHostileDocuments({ api, attacker: as.editor, quiet, path: '/pams/brackets/adjustment' }, run)
}

export const burstingArchivesFault: Fault = {
  id: 'F21',
  words: 'workbooks made to exhaust memory: each refused with a sentence, and less than 300 MB more memory',
  rounds: 500,
  run: run =>
    alone(async console => {
      const { failures, growthMb } = await burstArchives(console.as.editor, run)
      return { summary: `the process grew by ${growthMb} MB`, failures }
    }),
}

export const hostilePoolsFault: Fault = {
  id: 'F24',
  words:
    'slow files and bodies, heavy saves, wide headers and held polls of two workspaces: nothing of a third is refused',
  rounds: 100,
  run: run =>
    alone(async ({ api }) => {
      const { failures, answered, hostile } = await ownThePools(api, run)
      const told = [...hostile].filter(([status]) => status > 0).map(([status, count]) => `${count} × ${status}`)
      return { summary: `${answered} answers to the quiet one; to the others ${told.join(', ')}`, failures }
    }),
}
