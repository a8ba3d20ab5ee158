// The evidence package of an agreement of ten years, every quarter signed by both: how large it is, and how long each of the three
// programs takes that verify it.
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { closeBrowser, openBrowser } from '../../test/browser/chromium.ts'
import { openFolderGround, withConsole } from '../../test/faults/grounds.ts'
import { secondVerifier } from '../../test/support/files/second-verifier.ts'
import { unzip } from '../../test/support/files/unzip.ts'
import { emails, makeSeats } from '../../test/support/houses/console.ts'

const program = fileURLToPath(new URL('../../src/cli/assize.ts', import.meta.url))
const years = Array.from({ length: 10 }, (_, i) => 2014 + i)
const turns = 3

interface TenYears {
  readonly periods: number
  readonly bytes: number
  readonly ownMs: number
  readonly pageMs: number
  readonly pythonMs: number
}

export async function measureTenYears(): Promise<TenYears> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-ten-years-'))
  try {
    const { archive, periods } = await makePackage()
    const path = join(folder, 'package.zip')
    await writeFile(path, archive)
    return {
      periods,
      bytes: archive.length,
      ownMs: await fastest(() => run(process.execPath, [program, 'verify', path])),
      pythonMs: await fastest(() => run('python3', ['-B', secondVerifier, path])),
      pageMs: await measurePage(archive, folder),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makePackage(): Promise<{ archive: Buffer; periods: number }> {
  const ground = await openFolderGround()
  return withConsole(
    async ({ api }) => {
      const { tenant, as } = await makeSeats(api, 'ten-years-')
      await tenant.import(table())
      await tenant.apply(document())
      const periods = years.flatMap(year => [1, 2, 3, 4].map(quarter => `${year}-Q${quarter}`)).slice(1)
      for (const period of periods) await tenant.signBoth('ten-years', period)
      const reply = await as.owner.get('/agreements/ten-years/evidence', { headers: { 'accept-encoding': 'identity' } })
      if (reply.status !== 200) throw new Error(`the package was answered ${reply.status}: ${reply.text.slice(0, 200)}`)
      return { archive: reply.body, periods: periods.length }
    },
    ground,
    ground.secret,
  )
}

/** Two monthly indices and a quarterly one, each month printed first and final. */
function table(): string {
  const lines = ['series,period,value,version,published']
  for (const [series, step] of [
    ['CUSTOM/steel', 37],
    ['CUSTOM/energy', 53],
    ['CUSTOM/labour', 11],
  ] as const)
    for (let month = 0; month < 132; month++) {
      const day = new Date(Date.UTC(2013, month, 1))
      const period = day.toISOString().slice(0, 7)
      const value = (10_000 + step * month + ((month * 7919) % 97)) / 100
      const published = (days: number) => new Date(day.getTime() + days * 86_400_000).toISOString().slice(0, 10)
      lines.push(`${series},${period},${value.toFixed(2)},PRELIMINARY,${published(45)}`)
      lines.push(`${series},${period},${(value + 0.1).toFixed(2)},FINAL,${published(105)}`)
    }
  return `${lines.join('\n')}\n`
}

function document(): string {
  return `slug: ten-years
name: Ten years of brackets
description: Quarterly adjustment of the bracket price
status: ACTIVE
contract:
  start: 2014-01-01
  end: 2023-12-31
  frequency: QUARTERLY
  price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } }
inputs:
  steel: { series: CUSTOM/steel, weight: 0.35, base: 2013-09, lag: 2 months }
  energy: { series: CUSTOM/energy, weight: 0.15, base: 2013-09, lag: 2 months }
  labour: { series: CUSTOM/labour, weight: 0.25, base: 2013-09, lag: 2 months }
clause: { fixed: 0.25, threshold: { pct: 1, test: EXCEEDS, pays: ALL }, rounding: { percent: { dp: 2 } } }
parties: { buyer: [${emails.buyer}], supplier: [${emails.supplier}] }
`
}

function run(command: string, words: readonly string[]): void {
  const { status, stderr } = spawnSync(command, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`)
}

/** From opening the page in the package to its verdict. */
async function measurePage(archive: Buffer, folder: string): Promise<number> {
  let page = ''
  for (const [path, body] of unzip(archive)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), body)
    if (path.endsWith('/verify.html')) page = join(folder, path)
  }
  const browser = await openBrowser()
  try {
    const context = await browser.newContext()
    return await fastest(async () => {
      const tab = await context.newPage()
      await tab.goto(pathToFileURL(page).href)
      await tab.getByText('Everything verifies').first().waitFor({ timeout: 60_000 })
      await tab.close()
    })
  } finally {
    await closeBrowser()
  }
}

async function fastest(work: () => Promise<void> | void): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return Math.min(...times)
}
