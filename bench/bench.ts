// `npm run bench -- <what>`: measures one thing against its rival in one run and prints a table. Numbers in the docs
// come from here and nowhere else.
import { benchApi } from './api.ts'
import { benchEngine } from './engine.ts'
import { benchImport } from './import.ts'
import { benchIngest } from './ingest.ts'
import { benchInvoices } from './invoices.ts'
import { benchNeighbours } from './neighbours.ts'
import { benchReply } from './reply.ts'

const benches: Readonly<Record<string, () => Promise<void> | void>> = {
  engine: benchEngine,
  import: benchImport,
  ingest: benchIngest,
  api: benchApi,
  neighbours: benchNeighbours,
  invoices: benchInvoices,
  reply: benchReply,
}

const asked = process.argv.slice(2)
const names = asked.length === 0 ? Object.keys(benches) : asked
for (const name of names) {
  const run = benches[name]
  if (run === undefined) {
    process.stderr.write(`there is no bench "${name}"; there are ${Object.keys(benches).join(', ')}\n`)
    process.exitCode = 2
  } else await run()
}
