// A workspace whose agreement has everything that an evidence package may contain: a signed period, a correction that both signed, with
// its note, and one that was refused.
import { proposeCorrection, refuseCorrection, signCorrection } from '../../../src/agreements/correct.ts'
import { noteCorrection } from '../../../src/agreements/correction-note.ts'
import { importLines } from '../../../src/agreements/invoices.ts'
import { Seal } from '../../../src/agreements/seal.ts'
import { readLine } from '../../../src/core/invoices/invoice-line.ts'
import { parseDay } from '../../../src/core/time/day.ts'
import { Library } from '../../../src/read/library.ts'
import type { Api } from './api.ts'
import { emails, makeSeats, type Seats } from './console.ts'
import { finalMarch, firstPrints, trueUpDocument } from './true-up-house.ts'

export const agreement = 'steel-brackets'
const by = { who: emails.editor, fromAddress: null }

export interface EvidenceSeats {
  readonly seats: Seats
  readonly seal: Seal
  /** The ids of the corrections. */
  readonly agreed: string
  readonly refused: string
}

export async function openEvidenceSeats(api: Api): Promise<EvidenceSeats> {
  const seats = await makeSeats(api)
  const seal = new Seal(api.ring)
  const { tenant } = seats
  const workspaceId = tenant.id
  const parties = `{ buyer: [${emails.buyer}], supplier: [${emails.supplier}] }`
  await tenant.import(firstPrints)
  await tenant.apply(trueUpDocument({ parties, corrections: '{ when: EACH }' }))
  await tenant.signBoth(agreement, '2024-Q2')
  const line = {
    invoice: '4711',
    line: '1',
    date: '2024-05-10',
    quantity: '100',
    unitPrice: '106.00',
    agreement,
  }
  const library = new Library(api.sql, 64 * 1024 * 1024, { seals: seal.rows, report: () => {} })
  const today = parseDay('2026-11-16')!
  await importLines(api.sql, library, { workspaceId, lines: [readLine(2, line)], today, by, source: 'x' })
  await tenant.import(finalMarch)
  const propose = async () =>
    (await proposeCorrection(api.sql, seal, { workspaceId, agreement, reason: null, by })).correction.id
  const agreed = await propose()
  for (const party of ['buyer', 'supplier'] as const)
    await signCorrection(api.sql, seal, {
      workspaceId,
      id: agreed,
      party,
      email: emails[party],
      hash: null,
      proof: { means: 'PASSWORD' },
      fromAddress: null,
    })
  await noteCorrection(api.sql, seal, {
    workspaceId,
    id: agreed,
    number: 'CN-1',
    date: parseDay('2024-09-01')!,
    by,
    write: () => 'written',
  })
  await tenant.import('series,period,value,version,published\nCUSTOM/metal,2024-03,104.0,REVISED,2024-10-01\n')
  const refused = await propose()
  await refuseCorrection(api.sql, seal, {
    workspaceId,
    id: refused,
    hash: null,
    party: 'supplier',
    email: emails.supplier,
    means: 'SESSION',
    fromAddress: null,
    reason: 'not before the audit',
  })
  return { seats, seal, agreed, refused }
}
