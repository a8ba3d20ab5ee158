// How invoices find a contract and its prices: stored with the agreement's state, with both clocks and in the chain,
// without a new formula version. States from before these terms were stored are read as before.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Applied, applyDocument } from '../../src/agreements/apply.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { parsePeriod } from '../../src/core/time/period.ts'
import { AgreementSnapshot } from '../../src/read/agreements/agreement-snapshot.ts'
import { type AgreementHistory, loadAgreementHistory } from '../../src/storage/agreements/agreements.ts'
import { openOwner, type Sql, withWorkspace } from '../../src/storage/postgres/database.ts'
import { createBackup } from '../../src/storage/upkeep/backup.ts'
import { verifyAllChains, verifyChain } from '../../src/storage/upkeep/chain.ts'
import { restoreBackup } from '../../src/storage/upkeep/restore.ts'
import { ownHouse } from '../support/houses/house.ts'
import { steelDocument } from '../support/houses/sample.ts'
import { makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { longTest } from '../support/run/long-test.ts'
import { makeTestRing, openBareDatabase, openTestDatabase } from '../support/run/postgres.ts'

let workspace: string
const db = ownHouse(openTestDatabase)
beforeEach(async () => {
  workspace = (await makeWorkspace(db)).id
  const steel = await makeSeries(db.sql, workspace, 'steel')
  await publishRows(db.sql, workspace, steel, [{ period: parsePeriod('2023-12')!.ordinal, value: '100' }])
})

/** The usual document with further keys of its contract. */
function documentWith(terms: string): string {
  return steelDocument().replace('frequency: QUARTERLY\n', `frequency: QUARTERLY\n${terms}`)
}

const all = '  references: [FA-17, "4711"]\n  priceDate: INVOICE\n  prorate: DAYS\n'
const allTerms = { references: ['FA-17', '4711'], priceDate: 'INVOICE', prorate: 'DAYS' }
const noTerms = { references: [], priceDate: 'SERVICE', prorate: 'NONE' }

async function apply(text: string): Promise<Applied> {
  const today = parseDay('2024-06-01')!
  const applied = await applyDocument(db.sql, { workspaceId: workspace, text, by: 'eva@editor.test', today })
  if (applied.outcome === 'refused') throw new Error(JSON.stringify(applied.problems))
  return applied
}

const outcomeOf = async (text: string) => {
  const { outcome, version } = await apply(text)
  return [outcome, version]
}
const keptIn = (sql: Sql, id = workspace): Promise<AgreementHistory> =>
  withWorkspace(sql, id, async tx => (await loadAgreementHistory(tx, id, 'steel'))!)
const standing = async (knownAt: string | null = null) =>
  new AgreementSnapshot(await keptIn(db.sql), new Seal(makeTestRing()).rows).at(knownAt)

describe('billing terms', () => {
  test('change without a new version, each of them alone, and are stored', async () => {
    expect(await outcomeOf(documentWith(''))).toEqual(['created', 1])
    for (const [terms, kept] of [
      ['  references: [FA-17]\n', { ...noTerms, references: ['FA-17'] }],
      ['  references: [FA-17]\n  priceDate: ORDER\n', { ...noTerms, references: ['FA-17'], priceDate: 'ORDER' }],
      ['  prorate: DAYS\n', { ...noTerms, prorate: 'DAYS' }],
      [all, allTerms],
    ] as const) {
      expect(await outcomeOf(documentWith(terms))).toEqual(['changed', 1])
      expect((await standing())!.billing).toEqual(kept)
      expect(await outcomeOf(documentWith(terms))).toEqual(['unchanged', 1])
    }
  })

  test('that only write out the default change nothing', async () => {
    await apply(documentWith(''))
    expect(await outcomeOf(documentWith('  references: []\n  priceDate: SERVICE\n  prorate: NONE\n'))).toEqual([
      'unchanged',
      1,
    ])
  })

  test('have their history: every earlier state is there as it was known', async () => {
    await apply(documentWith(''))
    await apply(documentWith(all))
    await apply(documentWith(''))
    const { states } = await keptIn(db.sql)
    expect(states.map(({ billing }) => billing)).toEqual([noTerms, allTerms, noTerms])
    for (const { recordedAt, billing } of states) expect((await standing(recordedAt))!.billing).toEqual(billing)
  })

  test('stay when the formula alone changes, and both may change at once', async () => {
    await apply(documentWith(all))
    const other = documentWith(all).replace('fixed: 0.5', 'fixed: 0.5, cap: { periodPct: 5 }')
    expect(await outcomeOf(other)).toEqual(['new version', 2])
    expect((await keptIn(db.sql)).states).toHaveLength(1)
    expect(await outcomeOf(documentWith('').replace('fixed: 0.5', 'fixed: 0.5, cap: { periodPct: 6 }'))).toEqual([
      'new version',
      3,
    ])
    expect((await standing())!.billing).toEqual(noTerms)
  })

  test('are in the chain: other terms in the row are found', async () => {
    await apply(documentWith(all))
    expect((await verifyChain(db.sql, workspace)).problem).toBeNull()
    for (const rewritten of [`billing || '{"references": ["FA-18"]}'`, `billing || '{"prorate": "NONE"}'`, `'{}'`]) {
      await rewrite(`update agreement_state set billing = ${rewritten} where workspace_id = '${workspace}'`)
      expect((await verifyChain(db.sql, workspace)).problem, rewritten).not.toBeNull()
      await rewrite(
        `update agreement_state set billing = '${JSON.stringify(allTerms)}' where workspace_id = '${workspace}'`,
      )
      expect((await verifyChain(db.sql, workspace)).problem).toBeNull()
    }
  })

  longTest('restores', 'come back from a backup, with chains that verify', async () => {
    await apply(documentWith(all))
    const folder = await mkdtemp(join(tmpdir(), 'assize-terms-'))
    const file = join(folder, 'backup')
    await createBackup(db.owner, file, null)
    const bare = await openBareDatabase()
    const owner = openOwner(bare.target)
    await restoreBackup(owner, file, makeTestRing())
    for (const { problem } of await verifyAllChains(owner)) expect(problem).toBeNull()
    expect((await keptIn(owner)).states.at(-1)!.billing).toEqual(allTerms)
    await owner.end()
    await bare.close()
    await rm(folder, { recursive: true })
  })
})

/** With the triggers switched off, as only the owner can. */
function rewrite(statement: string): Promise<unknown> {
  return db.owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await tx.unsafe(statement)
  })
}
