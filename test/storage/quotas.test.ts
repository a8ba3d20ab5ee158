// Quotas of a workspace: counted exactly, refused in a sentence, and not exceeded by many requests at once.

import { describe, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { limits } from '../../src/limits.ts'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { removeMember } from '../../src/storage/people/member-changes.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { followSeries } from '../../src/storage/series/follows.ts'
import { createApiKey, revokeApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { loadQuotas, type QuotaKind } from '../../src/storage/workspaces/quotas.ts'
import { createWorkspace, setWorkspace, type Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { makeTestRing, textSource, uploadOf } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)

async function workspaceWith(quotas: Partial<Record<QuotaKind, number>>): Promise<Workspace> {
  const workspace = await makeWorkspace(db)
  return setWorkspace(db.owner, workspace.id, quotas)
}

const usedOf = async ({ id }: Workspace, kind: QuotaKind) =>
  (await loadQuotas(db.owner, id)).quotas.find(each => each.kind === kind)!.used

/** Counted by looking at every row. */
async function truthOf({ id }: Workspace) {
  const [row] = await db.owner`
    select (select count(*) from agreement where workspace_id = ${id}) as agreements,
      (select count(*) from series where owner = ${id}) + (select count(*) from follow where workspace_id = ${id}) as series,
      (select count(*) from vintage where owner = ${id}) as vintages,
      (select count(*) from api_key where workspace_id = ${id} and revoked_at is null) as keys,
      (select count(*) from member where workspace_id = ${id}) as people,
      (select count(*) from price_list_key where workspace_id = ${id})
        + (select count(*) from quantity where workspace_id = ${id}) as prices,
      (select count(*) from invoice_line where workspace_id = ${id}) as lines`
  return row
}

const countersOf = async ({ id }: Workspace) => {
  const { quotas } = await loadQuotas(db.owner, id)
  return Object.fromEntries(quotas.filter(({ used }) => used !== null).map(({ kind, used }) => [kind, used]))
}

const document = (slug: string, base = '2020-01') => `
slug: ${slug}
status: ACTIVE
contract: { start: 2020-01-01, frequency: QUARTERLY }
inputs: { index: { series: CUSTOM/index, weight: 1, base: ${base} } }
clause: { fixed: 0 }
`

const apply = (workspaceId: string, text: string) =>
  applyDocument(db.sql, { workspaceId, text, by: 'eva@editor.test', today: parseDay('2021-01-01')! })

const importText = ({ id }: Workspace, text: string, dryRun = false) =>
  importTable(db.sql, id, textSource(text), { dryRun, upload: uploadOf(text), onProgress: () => {} })

const table = (codes: readonly string[], periods: readonly string[] = ['2020-01']) =>
  `series,period,value\n${codes.flatMap(code => periods.map(period => `CUSTOM/${code},${period},100.5`)).join('\n')}\n`

const createKey = (workspaceId: string, name = 'erp') =>
  createApiKey(db.sql, new KeyedDigests(makeTestRing(), 'api-key digests'), { workspaceId, name, expiresAt: null })

const settled = async (all: readonly Promise<unknown>[]) => {
  const outcomes = await Promise.allSettled(all)
  return {
    done: outcomes.filter(({ status }) => status === 'fulfilled').length,
    refused: outcomes.flatMap(each => (each.status === 'rejected' ? [each.reason.message as string] : [])),
  }
}

describe('the counters', () => {
  test('are those of the rows, after imports, follows, agreements, keys and people of every kind', async () => {
    const workspace = await makeWorkspace(db)
    await importText(workspace, table(['index', 'a', 'b'], ['2020-01', '2020-02']))
    await importText(workspace, table(['index', 'c'], ['2020-02', '2020-03']))
    await importText(workspace, table(['d']), true)
    const publicSeries = await makeSeries(db.sql, publicScope, `shared-${workspace.slug}`)
    await publishRows(db.sql, publicScope, publicSeries, [{ period: 24_000, value: '1' }])
    await followSeries(db.sql, workspace.id, { id: publicSeries, provider: 'BLS', code: 'shared' })
    await apply(workspace.id, document('one'))
    await apply(workspace.id, document('one', '2020-02'))
    await apply(workspace.id, document('two'))
    await expect(importText(workspace, 'series,period,value\nCUSTOM/x,2020-01,none\n')).resolves.toMatchObject({
      added: 0,
    })
    const key = await createKey(workspace.id)
    await createKey(workspace.id)
    await revokeApiKey(db.sql, workspace.id, key.id)
    const { id } = await createMember(db.sql, workspace.id, { email: 'ann@buyer.test', role: 'buyer' })
    await createMember(db.sql, workspace.id, { email: 'olga@owner.test', role: 'owner' })
    await removeMember(db.sql, workspace.id, id, { who: 'a test', fromAddress: null })
    expect(await countersOf(workspace)).toEqual(await truthOf(workspace))
    expect(await countersOf(workspace)).toMatchObject({ agreements: 2, series: 5, vintages: 9, keys: 1, people: 1 })
  })
})

describe('a quota', () => {
  test('of agreements refuses one more, also of ten that come at once, and lets versions of those there be saved', async () => {
    const workspace = await workspaceWith({ agreements: 3 })
    await importText(workspace, table(['index']))
    const all = Array.from({ length: 10 }, (_, i) => apply(workspace.id, document(`formula-${i}`)))
    const { done, refused } = await settled(all)
    expect([done, await usedOf(workspace, 'agreements')]).toEqual([3, 3])
    expect(new Set(refused)).toEqual(
      new Set([
        `this workspace may have at most 3 agreements and would have 4; an operator of this installation can raise the limit on the Installation page, or with assize workspace set ${workspace.slug} --max-formulas N`,
      ]),
    )
    const [held] = await db.owner<
      { slug: string }[]
    >`select slug from agreement where workspace_id = ${workspace.id} limit 1`
    expect(await apply(workspace.id, document(held!.slug, '2020-02'))).toMatchObject({ outcome: 'new version' })
  })

  test('of series refuses a file as a whole, when it is read and not when it is published', async () => {
    const workspace = await workspaceWith({ series: 4 })
    await importText(workspace, table(['a', 'b', 'c']))
    let stages = ''
    const report = await importTable(db.sql, workspace.id, textSource(table(['a', 'd', 'e', 'f'])), {
      dryRun: false,
      upload: uploadOf('four'),
      onProgress: stage => {
        stages += stage
      },
    })
    expect(report).toMatchObject({ added: 0, recordedAt: null, created: [] })
    expect(report.problems[0]).toMatchObject({
      line: 0,
      message: expect.stringMatching(/^this workspace may have at most 4 series, .* and would have 5; /),
    })
    expect([stages, await usedOf(workspace, 'series')]).toEqual(['', 3])
    expect((await importText(workspace, table(['a', 'd'], ['2020-05']))).problems).toEqual([])
    const publicSeries = await makeSeries(db.sql, publicScope, `full-${workspace.slug}`)
    await expect(
      followSeries(db.sql, workspace.id, { id: publicSeries, provider: 'BLS', code: 'full' }),
    ).rejects.toMatchObject({ kind: 'conflict' })
    expect(await usedOf(workspace, 'series')).toBe(4)
  })

  test('of series is not exceeded by files that are read at the same time', async () => {
    const workspace = await workspaceWith({ series: 5 })
    const files = ['a', 'b', 'c', 'd'].map(name => importText(workspace, table([`${name}1`, `${name}2`])))
    const outcomes = await Promise.allSettled(files)
    const published = outcomes.filter(each => each.status === 'fulfilled' && each.value.recordedAt !== null)
    expect([published.length, await usedOf(workspace, 'series')]).toEqual([2, 4])
  })

  test('of vintages counts what is new and nothing else', async () => {
    const workspace = await workspaceWith({ vintages: 3 })
    await importText(workspace, table(['a'], ['2020-01', '2020-02']))
    const more = table(['a'], ['2020-01', '2020-02', '2020-03', '2020-04'])
    for (const dryRun of [true, false]) {
      const { problems, recordedAt } = await importText(workspace, more, dryRun)
      expect([problems[0]?.message, recordedAt]).toEqual([
        expect.stringContaining('at most 3 vintages and would have 4'),
        null,
      ])
    }
    expect((await importText(workspace, table(['a'], ['2020-01', '2020-02', '2020-03']))).added).toBe(1)
    const both = ['2020-05', '2020-06'].map(period => importText(workspace, table(['a'], [period])))
    await Promise.allSettled(both)
    expect(await usedOf(workspace, 'vintages')).toBe(3)
  })

  test('of keys counts live ones, also of ten that are made at once; one that is revoked makes room', async () => {
    const workspace = await workspaceWith({ keys: 2 })
    const { done, refused } = await settled(Array.from({ length: 10 }, () => createKey(workspace.id)))
    expect([done, refused.length]).toEqual([2, 8])
    expect(refused[0]).toContain('at most 2 live keys and would have 3')
    const [key] = await db.owner<{ id: string }[]>`select id from api_key where workspace_id = ${workspace.id} limit 1`
    await revokeApiKey(db.sql, workspace.id, key!.id)
    await createKey(workspace.id)
    expect(await usedOf(workspace, 'keys')).toBe(2)
  })

  test('of people applies to ten who are added at once', async () => {
    const workspace = await workspaceWith({ people: 2 })
    const invite = (i: number) => createMember(db.sql, workspace.id, { email: `p${i}@buyer.test`, role: 'buyer' })
    const { done, refused } = await settled(Array.from({ length: 10 }, (_, i) => invite(i)))
    expect([done, refused.length]).toEqual([2, 8])
    expect(refused[0]).toContain('at most 2 people and would have 3')
  })

  test('below current usage removes nothing and refuses what is new; the default can be restored', async () => {
    const workspace = await makeWorkspace(db)
    await importText(workspace, table(['index', 'a']))
    await setWorkspace(db.owner, workspace.id, { series: 0 })
    expect((await importText(workspace, table(['a'], ['2020-02']))).added).toBe(1)
    expect((await importText(workspace, table(['b']))).problems).toHaveLength(1)
    await setWorkspace(db.owner, workspace.id, { series: null })
    expect((await importText(workspace, table(['b']))).problems).toEqual([])
  })

  test('does not exist for public series', async () => {
    const [before] = await db.owner`select count(*) from workspace_use`
    const id = await makeSeries(db.sql, publicScope, 'nobodys')
    expect(await publishRows(db.sql, publicScope, id, [{ period: 24_000, value: '1' }])).toMatchObject({ added: 1 })
    expect((await db.owner`select count(*) from workspace_use`)[0]).toEqual(before)
  })
})

test('a formula has a bounded number of versions', async () => {
  const workspace = await createWorkspace(db.owner, { slug: `versions-${Date.now().toString(36)}` })
  await importText(workspace, table(['index'], ['2020-01', '2020-02']))
  const applied = await apply(workspace.id, document('often'))
  if (applied.outcome === 'refused') throw new Error('it is refused')
  await db.owner`insert into formula (workspace_id, agreement_id, version, seq, document, document_text, effective_from, created_by, recorded_at)
    select workspace_id, agreement_id, ${limits.formulaVersions}, seq, document, document_text, effective_from, created_by, recorded_at
    from formula where agreement_id = ${applied.id}`
  await expect(apply(workspace.id, document('often', '2020-02'))).rejects.toThrow(
    `an agreement has at most ${limits.formulaVersions} versions`,
  )
})
