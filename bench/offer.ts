// One splice offered to 400 agreements and signed once by each side: how long the offer takes, and each side's signature. With
// the second one 400 formula versions are written.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Seal } from '../src/agreements/seal.ts'
import { offerSplices } from '../src/agreements/terms/offer.ts'
import { signChanges } from '../src/agreements/terms/sign-change.ts'
import { Refusal } from '../src/core/refusal.ts'
import { importTable } from '../src/import/table.ts'
import { appending } from '../src/storage/log/append.ts'
import { createMember } from '../src/storage/people/people.ts'
import { Installation } from '../src/storage/upkeep/installation.ts'
import { createWorkspace } from '../src/storage/workspaces/workspaces.ts'
import { oldIndexDocument, twoIndices } from '../test/support/agreements/two-indices.ts'
import { textSource, uploadOf } from '../test/support/houses/api.ts'
import { insertAgreements } from './insert-agreements.ts'
import { printTable } from './table.ts'

export const offeredAgreements = 400
const people = { buyer: 'ann@buyer.test', supplier: 'sam@supplier.test' } as const

export async function benchOffer(agreements: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-bench-'))
  const installation = await Installation.open({ dataFolder: join(folder, 'data'), databaseUrl: null, secrets: null })
  try {
    const { sql, owner, ring } = installation
    const { id: workspaceId } = await createWorkspace(owner, { slug: 'bench', name: 'Bench' })
    const upload = uploadOf(twoIndices)
    await importTable(sql, workspaceId, textSource(twoIndices), { dryRun: false, upload, onProgress: () => {} })
    await createMember(sql, workspaceId, { email: people.buyer, role: 'buyer' })
    const texts = Array.from({ length: agreements }, (_, i) => oldIndexDocument({ slug: `agreement-${i}` }))
    await appending(sql, workspaceId, (tx, log) => insertAgreements(tx, log, texts))
    const rows: string[][] = []
    const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      const startMs = performance.now()
      const done = await work()
      rows.push([what, `${((performance.now() - startMs) / 1000).toFixed(2)} s`])
      return done
    }
    const wish = {
      old: 'CUSTOM/old',
      successor: 'CUSTOM/new',
      inputs: null,
      method: 'OVERLAP' as const,
      direction: null,
      ground: { kind: 'BY_HAND' as const, event: null, change: null, sentence: 'It ended.' },
      window: null,
      point: null,
      rounding: null,
      published: null,
      join: null,
      base: null,
      waitFinal: false,
      candidates: [],
    }
    const by = { who: people.buyer, fromAddress: null }
    const { proposed } = await timed('offered', () => offerSplices(sql, { workspaceId, wish, by, only: null }))
    for (const party of ['buyer', 'supplier'] as const) {
      const signer = { party, email: people[party], proof: { means: 'OPERATOR' as const }, fromAddress: null }
      const requests = proposed.map(({ id, hash }) => ({ id, hash, ...signer }))
      const signed = await timed(`signed by the ${party}`, () =>
        signChanges(sql, new Seal(ring), workspaceId, requests),
      )
      const refused = signed.find(each => each instanceof Refusal)
      if (refused !== undefined || signed.length !== agreements) throw refused ?? new Error('not all were signed')
    }
    printTable([`an offer over ${agreements} agreements`, 'measured'], rows)
  } finally {
    await installation.close()
    await rm(folder, { recursive: true, force: true })
  }
}
