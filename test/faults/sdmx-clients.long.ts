// Independent readers of SDMX against a running server: rsdmx for R, sdmx1 and pysdmx for Python, sdmx-json-parser for
// JavaScript. Whichever is installed reads structures and data, and has to find what was published; the others are named.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openApi } from '../support/houses/api.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { type Outcome, scenario } from '../support/run/long-test.ts'
import { openFolderGround } from './grounds.ts'

const table = `series,period,value,version,published,name,unit
CUSTOM/metal,2023-12,100.0,FINAL,2024-01-15,Metal & ore,2015=100
CUSTOM/metal,2024-01,101.10,PRELIMINARY,2024-02-15,,
CUSTOM/metal,2024-01,101.30,REVISED,2024-04-15,,
CUSTOM/EXR.D.USD,2024-03-01,1.0810,FINAL,2024-03-01,Dollar,USD per EUR
`
const now = ['EXR@D@USD D 2024-03-01 1.0810 FINAL', 'metal M 2023-12 100.0 FINAL', 'metal M 2024-01 101.30 REVISED']
const then = ['metal M 2023-12 100.0 FINAL', 'metal M 2024-01 101.10 PRELIMINARY']
const newest = now.slice(1)

/** What each client has to say, in any order. */
const structure = [
  'flows AGREEMENTS CUSTOM',
  'codes EXR@D@USD metal',
  'dimensions SERIES FREQ',
  'time TIME_PERIOD',
  'measure OBS_VALUE',
  'attributes OBS_STATUS VERSION_TAG PUBLISHED_AT RECORDED_AT UNIT TITLE',
]
const expected: Readonly<Record<string, readonly string[]>> = {
  rsdmx: [...structure, ...prefixed('now', now), ...prefixed('then', then), ...prefixed('newer', newest)],
  sdmx1: [...structure.slice(0, 3), ...prefixed('now', now), ...prefixed('then', then)],
  pysdmx: [...prefixed('now', now), ...prefixed('then', then)],
  'sdmx-json-parser': [...prefixed('now', now.map(withoutTag)), ...prefixed('then', then.map(withoutTag))],
}

function prefixed(name: string, lines: readonly string[]): string[] {
  return lines.map(line => `${name} ${line}`)
}

/** It shows the names of codes. */
function withoutTag(line: string): string {
  return line
    .split(' ')
    .slice(0, 4)
    .join(' ')
    .replace('EXR@D@USD D', 'Dollar Daily')
    .replace('metal M', 'Metal & ore Monthly')
}

const execute = promisify(execFile)
const scripts = join(import.meta.dirname, '../support/clients/sdmx')

interface Client {
  readonly name: string
  /** What to run; null where it is not there. */
  readonly command: readonly [string, ...string[]] | null
  readonly missing: string
}

async function ask({ say }: LongRun): Promise<Outcome> {
  const ground = await openFolderGround()
  const api = await openApi(ground, { secret: ground.secret })
  const failures: string[] = []
  const read: string[] = []
  try {
    const tenant = await api.tenant()
    await tenant.import(table)
    const env = { ...process.env, SDMX_BASE: `${api.address}/sdmx/v2`, SDMX_KEY: tenant.key }
    for (const { name, command, missing } of await clients()) {
      if (command === null) {
        say(`${name} was not tried: ${missing}`)
        continue
      }
      const [program, ...words] = command
      const said = await execute(program, words, { env, timeout: 120_000 }).catch((error: Error) => error)
      if (said instanceof Error) {
        failures.push(`${name}: ${said.message}`)
        continue
      }
      const lines = new Set(said.stdout.split('\n').map(line => line.trim()))
      const lost = expected[name]!.filter(line => !lines.has(line))
      read.push(name)
      say(`${name} read ${expected[name]!.length - lost.length} of ${expected[name]!.length} facts`)
      for (const line of lost) failures.push(`${name} did not read "${line}"`)
    }
  } finally {
    await api.close()
  }
  if (read.length === 0 && failures.length === 0) failures.push('no reader of SDMX is installed here')
  return { summary: `read by ${read.join(', ') || 'nobody'}`, failures }
}

async function clients(): Promise<readonly Client[]> {
  const works = (program: string, words: readonly string[]) =>
    execute(program, words).then(
      () => true,
      () => false,
    )
  const python = async (name: string, module: string): Promise<Client> => ({
    name,
    command: (await works('python3', ['-c', `import ${module}`])) ? ['python3', join(scripts, `${name}.py`)] : null,
    missing: `python3 has no module ${module}`,
  })
  const folder = process.env.SDMX_JS ?? ''
  const parser = join(folder, 'node_modules/sdmx-json-parser/package.json')
  return [
    {
      name: 'rsdmx',
      command: (await works('Rscript', ['-e', 'library(rsdmx)'])) ? ['Rscript', join(scripts, 'rsdmx.R')] : null,
      missing: 'R has no package rsdmx (on Debian r-cran-rsdmx)',
    },
    await python('sdmx1', 'sdmx'),
    await python('pysdmx', 'pysdmx'),
    {
      name: 'sdmx-json-parser',
      command:
        folder !== '' && existsSync(parser)
          ? [process.execPath, join(scripts, 'sdmx-json-parser.cjs'), createRequire(parser).resolve('./dist/parser.js')]
          : null,
      missing: 'SDMX_JS names no folder in which npm has installed it',
    },
  ]
}

scenario(
  'sdmx-clients',
  'F32: independent readers of SDMX find what was published; SDMX_JS names a folder with sdmx-json-parser',
  { long: 1 },
  ask,
)
