// The faults about work that one workspace gives the server while others wait: hostile documents and bursting archives.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bracketsDocument, bracketsTable } from '../support/brackets.ts'
import { makeSeats, openConsole, type TestConsole } from '../support/console.ts'
import { burstArchives } from './bursting-archives.ts'
import type { Fault } from './fault.ts'
import { sendHostileDocuments } from './hostile-documents.ts'

/** A server with two workspaces, whose uploads pass through a folder of its own. */
export async function withConsole<T>(work: (console: TestConsole) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-work-'))
  const console = await openConsole({ env: { ASSIZE_DATA: folder } })
  try {
    return await work(console)
  } finally {
    await console.close()
    await rm(folder, { recursive: true, force: true })
  }
}

export const hostileDocumentsFault: Fault = {
  id: 'F17',
  words: 'documents that are made to be slow, previewed and saved, beside another workspace that is answered in time',
  rounds: 5_000,
  run: run =>
    withConsole(async console => {
      const { failures, slowestMs, refused } = await attack(console, run)
      return { summary: `${refused} refused or blocked, others waited ${Math.ceil(slowestMs)} ms at most`, failures }
    }),
}

/** The quiet workspace is the console's own. */
export async function attack(console: TestConsole, run: Parameters<Fault['run']>[0]) {
  const { tenant: quiet, api } = console
  await quiet.import(bracketsTable)
  await quiet.apply(bracketsDocument())
  const { as } = await makeSeats(api, 'hostile-')
  return sendHostileDocuments({ api, attacker: as.editor, quiet, path: '/pams/brackets/adjustment' }, run)
}

export const burstingArchivesFault: Fault = {
  id: 'F21',
  words: 'workbooks that are made to burst: each refused with a sentence, and less than 300 MB more memory',
  rounds: 500,
  run: run =>
    withConsole(async console => {
      const { failures, growthMb } = await burstArchives(console.as.editor, run)
      return { summary: `the process grew by ${growthMb} MB`, failures }
    }),
}
