// Inside the thread of noisy-import.ts: imports one file of very many new series, with one value each.
import { workerData } from 'node:worker_threads'
import type { TableRow, TableSource } from '../../src/import/source.ts'
import { importTable } from '../../src/import/table.ts'
import { type DatabaseTarget, openApplication } from '../../src/storage/postgres/database.ts'

export interface NoisyImport {
  readonly target: DatabaseTarget
  readonly workspaceId: string
  readonly count: number
}

function manySeries(count: number): TableSource {
  return async function* () {
    let rows: TableRow[] = [{ line: 1, cells: ['series', 'period', 'value'] }]
    for (let i = 0; i < count; i++) {
      rows.push({ line: i + 2, cells: [`CUSTOM/noise-${i}`, '2024-01', `${i}.5`] })
      if (rows.length < 1_000) continue
      yield rows
      rows = []
    }
    if (rows.length > 0) yield rows
  }
}

const { target, workspaceId, count } = workerData as NoisyImport
const sql = openApplication(target, { connections: 1, name: 'noise' })
await importTable(sql, workspaceId, manySeries(count), {
  dryRun: false,
  upload: { uploadedBy: 'operator', via: 'command', fileName: 'noise.csv', sha256: '0'.repeat(64), size: 0 },
  onProgress: () => {},
})
await sql.end({ timeout: 5 })
