// `npm run test:long -- <name> … [--rounds N] [--seed N] [--only words]`: tests in their long form, those of docs/SECURITY.md among
// them. Without a name, all of them; `--list` lists them. Each runs by itself, and a failure of any gives status 1.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { longPlaces } from './long-places.ts'

const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))
const places = Map.groupBy(longPlaces(), ({ form }) => form)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter(name => !places.has(name))
if (values.list || unknown.length > 0) {
  for (const name of unknown) process.stderr.write(`there is no long form "${name}"\n`)
  for (const name of [...places.keys()].sort()) list(name)
  process.exit(unknown.length > 0 ? 2 : 0)
}

const seed = values.seed ?? `${Math.floor(Math.random() * 2 ** 31)}`
// An interrupted scenario that started servers hears of it by a file and closes them; vitest itself would end at once. Forms after
// it do not begin.
const stopFile = join(tmpdir(), `assize-stop-${process.pid}`)
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
stopping.signal.onabort = () => writeFileSync(stopFile, '')
for (const name of positionals.length === 0 ? places.keys() : positionals)
  if (!stopping.signal.aborted && !(await run(name))) process.exitCode = 1
rmSync(stopFile, { force: true })

function list(form: string): void {
  process.stdout.write(`${form}\n`)
  for (const { what, short, long, file } of places.get(form)!)
    process.stdout.write(`  ${what}: ${long}, in npm test ${short} (${file})\n`)
}

async function run(form: string): Promise<boolean> {
  process.stdout.write(`${form}, seed ${seed}\n`)
  const own = places.get(form)!
  const files = new Set(own.flatMap(({ file }) => (/\.(?:test|long)\.ts$/.test(file) ? [file] : [])))
  const scenarios = own.filter(({ isScenario }) => isScenario).map(({ what }) => RegExp.escape(what))
  const pattern = scenarios.length === 0 ? [] : ['-t', scenarios.join('|')]
  const isStoppable = own.some(place => place.isStoppable)
  const { rounds, only } = values
  const env = {
    ...process.env,
    ASSIZE_LONG_FORM: form,
    ASSIZE_TEST_SEED: seed,
    ASSIZE_LONG_STOP: stopFile,
    ...(rounds === undefined ? {} : { ASSIZE_LONG_ROUNDS: rounds }),
    ...(only === undefined ? {} : { ASSIZE_LONG_ONLY: only }),
  }
  const child = spawn(process.execPath, [vitest, 'run', ...files, ...pattern], {
    env,
    stdio: 'inherit',
    detached: isStoppable,
  })
  if (!isStoppable) stopping.signal.addEventListener('abort', () => void child.kill())
  const [status] = (await once(child, 'exit')) as [number | null]
  return status === 0
}
