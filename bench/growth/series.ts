// What a workspace with so many series costs: its first page after a start, and the next one after each kind of change.
import { importTable } from '../../src/import/table.ts'
import { appending } from '../../src/storage/log/append.ts'
import { publicScope, type Sql } from '../../src/storage/postgres/database.ts'
import { followSeries } from '../../src/storage/series/follows.ts'
import { changeMetadata } from '../../src/storage/series/own-series.ts'
import type { FolderGround } from '../../test/faults/grounds.ts'
import type { Reply } from '../../test/support/clients/http-client.ts'
import { textSource, uploadOf } from '../../test/support/houses/api.ts'
import { makeSeries } from '../../test/support/houses/workspace.ts'
import { Asked, type Cost, costOf, nextAnswer, turns } from './answers.ts'
import type { FilledWorkspace } from './fill.ts'

export interface SeriesCosts {
  readonly start: Cost
  readonly firstPage: Cost
  readonly firstValues: Cost
  /** From the first request until the whole list is cached. */
  readonly whole: Cost
  readonly warm: Cost
  readonly afterNew: Cost
  readonly afterRenamed: Cost
  readonly afterFollowed: Cost
  readonly afterMany: Cost
}

const starts = 3
const changes = 9

export async function measureSeries(ground: FolderGround, sql: Sql, filled: FilledWorkspace): Promise<SeriesCosts> {
  const values = `/series/${await someSeries(ground, filled)}/values?last=12`
  const times = { start: [] as number[], page: [] as number[], values: [] as number[], whole: [] as number[] }
  for (let i = 0; i < starts; i++) {
    const fromMs = performance.now()
    const asked = await Asked.start(ground, filled)
    times.start.push(performance.now() - fromMs)
    const askedMs = performance.now()
    times.page.push((await asked.api('/series?limit=50')).ms)
    times.values.push((await asked.api(values)).ms)
    await asked.untilLoaded()
    times.whole.push(performance.now() - askedMs)
    await asked.stop()
  }
  const asked = await Asked.start(ground, filled)
  try {
    await asked.api('/series?limit=50')
    await asked.untilLoaded()
    return {
      start: costOf(times.start),
      firstPage: costOf(times.page),
      firstValues: costOf(times.values),
      whole: costOf(times.whole),
      warm: await turns(changes, async () => (await asked.api('/series?limit=50')).ms),
      ...(await measureChanges(asked, sql, filled)),
    }
  } finally {
    await asked.stop()
  }
}

type Changes = Pick<SeriesCosts, 'afterNew' | 'afterRenamed' | 'afterFollowed' | 'afterMany'>

async function measureChanges(asked: Asked, sql: Sql, { workspace, size }: FilledWorkspace): Promise<Changes> {
  const page = () => asked.api('/series?limit=50')
  // The cursor of a first page shows how current its list is, and so does the tag of the answer.
  const tag = ({ headers }: Reply) => headers.etag
  const after = (change: (turn: number) => Promise<unknown>) =>
    turns(changes, turn => nextAnswer(page, tag, () => change(turn)))
  const added: string[] = []
  return {
    afterNew: await after(async turn => added.push(await makeSeries(sql, workspace.id, `new-${turn}`))),
    afterRenamed: await after(turn =>
      appending(sql, workspace.id, (tx, log) =>
        changeMetadata(tx, log, [{ ...described, id: added[turn]!, code: `new-${turn}`, name: 'Renamed' }]),
      ),
    ),
    afterFollowed: await after(async turn => {
      const code = `followed-${size}-${turn}`
      const id = await makeSeries(sql, publicScope, code)
      await followSeries(sql, workspace.id, { id, provider: 'CUSTOM', code })
    }),
    afterMany: await after(turn => importMany(sql, workspace.id, turn)),
  }
}

const described = {
  provider: 'CUSTOM',
  unit: '',
  dataType: 'INDEX',
  frequency: 'MONTHLY',
  description: '',
} as const

/** A value of each of 299 series, and a new series: more than is notified one by one. */
async function importMany(sql: Sql, workspaceId: string, turn: number): Promise<void> {
  const row = (code: string) => `CUSTOM/${code},2025-0${turn + 1},${100 + turn}\n`
  const codes = Array.from({ length: 299 }, (_, n) => `index-${String(n).padStart(3, '0')}`)
  const table = `series,period,value\n${[...codes, `many-${turn}`].map(row).join('')}`
  const { problems } = await importTable(sql, workspaceId, textSource(table), {
    dryRun: false,
    upload: uploadOf(table),
    onProgress: () => {},
  })
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
}

/** One with values, in the middle of the list. */
async function someSeries({ owner }: FolderGround, { workspace }: FilledWorkspace): Promise<string> {
  const [row] = await owner<{ id: string }[]>`
    select id from series where owner = ${workspace.id} and code = 'index-123'`
  return row!.id
}
