// Every signature of the pages is answered with slips, which prove it without the server; they can be fetched again by who sees it.
import { describe, expect, test } from 'vitest'
import { openPublicLog } from '../../src/agreements/installation-log.ts'
import { readCheckpoint } from '../../src/core/proof/checkpoint.ts'
import { checkNote } from '../../src/core/proof/note-signature.ts'
import { readProofFile } from '../../src/core/proof/proof-file.ts'
import { readNote } from '../../src/core/proof/signed-note.ts'
import { problemOfSlip, readEntryLine, readSlip } from '../../src/core/proof/slip.ts'
import type { ToSign } from '../../src/views/shapes/inbox.ts'
import type { LogGrowth, SlipsView, WithSlips } from '../../src/views/shapes/signatures.ts'
import { contradictionOf } from '../../web/frame/log-growth.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { emails, makeSeats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()

async function signed(slugs: readonly string[]) {
  const seats = await makeSeats(console.api)
  const { as, tenant } = seats
  await tenant.import(bracketsTable)
  for (const slug of slugs) await tenant.apply(bracketsDocument({ slug }))
  const { json } = await as.buyer.post('/sign-offs/to-sign', { agreements: slugs.map(slug => ({ slug })) })
  const agreements = (json as ToSign).agreements.map(({ slug, as: party, periods }) => ({
    slug,
    party,
    periods: periods.map(({ period, hash }) => ({ period, hash })),
  }))
  await as.buyer.confirm()
  const reply = await as.buyer.post('/sign-offs/sign', { agreements })
  return { ...seats, slips: (reply.json as WithSlips).slips }
}

describe('signatures', () => {
  test('are answered with one slip each, under one checkpoint that the log has signed', async () => {
    const { slips, as } = await signed(['one', 'two'])
    expect([slips.count, slips.missing]).toEqual([6, null])
    const read = readProofFile(slips.file!.text).slips
    expect(read.map(problemOfSlip)).toEqual(Array.from({ length: 6 }, () => null))
    expect(read.map(({ entry }) => readEntryLine(entry.line).kind)).toEqual(
      Array.from({ length: 6 }, () => 'signature'),
    )
    for (const { entry } of read) expect(JSON.parse(entry.content!.text)).toMatchObject({ signedBy: emails.buyer })
    expect(new Set(read.map(({ checkpoint }) => checkpoint.text)).size).toBe(1)
    const settings = { logName: null, dataFolder: '/nowhere' }
    const log = openPublicLog(console.api, settings, () => {})
    const keys = [log.keys.signerOf(log.name).key]
    expect(await checkNote(crypto.subtle, readNote(slips.checkpoint!), keys)).toMatchObject([{ verdict: 'holds' }])
    // What the browser kept is part of the log that it sees at its next visit.
    const { size, origin } = readCheckpoint(readNote(slips.checkpoint!).text)
    const growth = await as.viewer.json<LogGrowth>(`/log/consistency?from=${size}&origin=${encodeURIComponent(origin)}`)
    expect(contradictionOf(slips.checkpoint!, growth)).toBeNull()
    expect((await as.viewer.json<LogGrowth>('/log/consistency?from=100000')).proof).toBeNull()
  })

  test('are proven again to who sees them: their own with its content, the other side’s by its hash', async () => {
    const { as } = await signed(['one'])
    const path = '/agreements/one/periods/2024-Q2/slip'
    const own = await as.buyer.json<SlipsView>(path)
    expect([own.count, own.file!.name]).toEqual([1, 'slip-one-2024-Q2.txt'])
    const other = readSlip((await as.supplier.json<SlipsView>(path)).file!.text)
    expect([problemOfSlip(other), other.entry.content]).toEqual([null, null])
    expect(other.entry.line).toBe(readSlip(own.file!.text).entry.line)
    expect((await as.buyer.get('/agreements/one/periods/2031-Q1/slip')).status).toBe(404)
    const stranger = (await makeSeats(console.api)).as.buyer
    expect((await stranger.get(path)).status).toBe(404)
  })
})
