// The series of a formula are of one moment when it is computed, and that does not take forever even if they are
// published without pause.
import { setImmediate } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { Library } from '../../src/read/library.ts'
import type { EntryNotice } from '../../src/storage/log/append.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { makeTestRing, openTestDatabase } from '../support/run/postgres.ts'

const codes = ['a', 'b', 'c']
const today = parseDay('2021-01-01')!
const request = { asOf: null, knownAt: null, version: null, until: today }

let workspace: Workspace
const ids = new Map<string, string>()
const db = ownHouse(openTestDatabase)
beforeAll(async () => {
  workspace = await makeWorkspace(db)
  await publish('2020-01', '100')
  await publish('2020-02', '110')
  for (const name of [codes, ['a']]) {
    const inputs = name.map(code => `  ${code}: { series: CUSTOM/${code}, base: 2020-01, lag: 1 month }\n`)
    const text = `slug: of-${name.length}
contract: { start: 2020-01-01, end: 2020-04-01, frequency: QUARTERLY, firstAdjustment: 2020-03-01 }
inputs:
${inputs.join('')}steps: [{ name: total, expr: "${name.map(code => `${code} / ${code}.base`).join(' + ')}" }]
result: { kind: FACTOR, step: total }
`
    const applied = await applyDocument(db.sql, { workspaceId: workspace.id, text, by: 'eva@editor.test', today })
    if (applied.outcome === 'refused') throw new Error(JSON.stringify(applied.problems))
    ids.set(`of-${name.length}`, applied.id)
  }
  for (const { id, code } of await db.owner<{ id: string; code: string }[]>`
    select id, code from series where owner = ${workspace.id}`)
    ids.set(code, id)
})

/** The same value for each of them, in one publication. */
function publish(period: string, value: string) {
  const rows = codes.map(code => `CUSTOM/${code},${period},${value}\n`)
  const source = textSource(`series,period,value\n${rows.join('')}`)
  return importTable(db.sql, workspace.id, source, { dryRun: false, upload: uploadOf('table'), onProgress: () => {} })
}

const openLibrary = () =>
  new Library(db.sql, 64 * 1024 * 1024, { seals: new Seal(makeTestRing()).rows, report: () => {} })

async function compute(library: Library, slug: string) {
  const cached = await library.agreement(workspace.id, ids.get(slug)!)
  const adjustments = await library.adjustments(workspace.id, cached!, request)
  return adjustments!.summaries().map(({ cumulativePct }) => cumulativePct)
}

/** As if one of the series were published again and again, until it is computed. */
async function computeUnderPublications(slug: string, codesPublished: readonly string[]) {
  const library = openLibrary()
  let isDone = false
  let told = 0
  const tell = (async () => {
    while (!isDone) {
      const subject = ids.get(codesPublished[told++ % codesPublished.length]!)!
      library.changes.entered({
        scope: workspace.id,
        kind: 'observations',
        subject,
        seq: told,
      } satisfies EntryNotice)
      await setImmediate()
    }
  })()
  const computed = await compute(library, slug).finally(() => {
    isDone = true
  })
  await tell
  return { computed, told }
}

test('a formula is computed while all of its series are published without pause', async () => {
  const { computed, told } = await computeUnderPublications('of-3', codes)
  expect(computed).toEqual(await compute(openLibrary(), 'of-3'))
  expect(told).toBeGreaterThan(10)
  expect((await computeUnderPublications('of-1', ['a'])).computed).toEqual(await compute(openLibrary(), 'of-1'))
})

test('with all of a publication, or with nothing of it', async () => {
  const sums = new Set(['200', '230', '260', '290', '320', '350', '380', '410'])
  const wrong: string[] = []
  for (let round = 1; round <= 6; round++) {
    const library = openLibrary()
    let isPublished = false
    const publishing = publish('2020-02', `${110 + 10 * round}`).finally(() => {
      isPublished = true
    })
    // The publication is announced at some moment of the gathering.
    const hearing = (async () => {
      while (!isPublished) await setImmediate()
      for (const code of codes)
        library.changes.entered({ scope: workspace.id, kind: 'observations', subject: ids.get(code)!, seq: round })
    })()
    while (!isPublished) {
      wrong.push(...(await compute(library, 'of-3')).filter(each => !sums.has(each)))
      await setImmediate()
    }
    await Promise.all([publishing, hearing])
    wrong.push(...(await compute(library, 'of-3')).filter(each => each !== `${230 + 30 * round}`))
  }
  expect(wrong).toEqual([])
})
