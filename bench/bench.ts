// `npm run bench -- <what>`: measures one thing against its rival in one run and prints a table. Numbers in the docs
// come from here and nowhere else. `growth` measures against size; its sizes can be given: `--series 1000,10000`,
// and those of `radar` and `offer`: `--agreements 400`.
import { parseArgs } from 'node:util'
import { benchApi } from './api.ts'
import { benchDue } from './calendar/due.ts'
import { benchCalendar } from './calendar.ts'
import { benchCluster } from './cluster.ts'
import { benchEngine } from './engine.ts'
import { benchExt } from './ext.ts'
import { benchGrowth, type GrowthSizes, usualSizes } from './growth.ts'
import { benchImport } from './import.ts'
import { benchIngest } from './ingest.ts'
import { benchInvoices } from './invoices.ts'
import { benchNeighbours } from './neighbours.ts'
import { benchOffer, offeredAgreements } from './offer.ts'
import { benchPages } from './pages.ts'
import { benchProof } from './proof.ts'
import { benchRadar, usualAgreements } from './radar.ts'
import { benchSdmx } from './sdmx.ts'

const benches: Readonly<Record<string, () => Promise<void> | void>> = {
  engine: benchEngine,
  import: benchImport,
  ingest: benchIngest,
  api: benchApi,
  ext: benchExt,
  neighbours: benchNeighbours,
  cluster: benchCluster,
  invoices: benchInvoices,
  pages: benchPages,
  radar: () => benchRadar(readSizes(values.agreements)?.[0] ?? usualAgreements),
  sdmx: benchSdmx,
  calendar: async () => {
    await benchCalendar()
    await benchDue()
  },
  offer: () => benchOffer(readSizes(values.agreements)?.[0] ?? offeredAgreements),
  growth: () => benchGrowth(sizes),
  proof: benchProof,
}

const sizeOption = { type: 'string' } as const
const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: { series: sizeOption, agreements: sizeOption, processes: sizeOption },
})
const sizes: GrowthSizes = {
  series: readSizes(values.series) ?? usualSizes.series,
  agreements: readSizes(values.agreements) ?? usualSizes.agreements,
  processes: readSizes(values.processes) ?? usualSizes.processes,
}

/** Growing whole numbers with commas between. */
function readSizes(text: string | undefined): readonly number[] | null {
  if (text === undefined) return null
  const read = text.split(',').map(each => Number.parseInt(each, 10))
  const isGrowing = read.every((size, i) => size > (read[i - 1] ?? 0))
  if (!isGrowing) throw new Error(`sizes must be growing whole numbers with commas between, got "${text}"`)
  return read
}

const names = asked.length === 0 ? Object.keys(benches) : asked
for (const name of names) {
  const run = benches[name]
  if (run === undefined) {
    process.stderr.write(`there is no bench "${name}"; there are ${Object.keys(benches).join(', ')}\n`)
    process.exitCode = 2
  } else await run()
}
