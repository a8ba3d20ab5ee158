// The TypeScript client as a stranger gets it: packed, installed into an empty project by npm, compiled there by strict
// TypeScript, and run. The program is the one of docs/CLIENTS.md: it keeps hundreds of agreements and their item prices.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyAgreement } from '../support/agreements/many-agreements.ts'
import { clientPages, snippetsIn } from '../support/files/snippets.ts'
import type { Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { applyList, applyListUnheard } from '../support/houses/priced-tenant.ts'
import { isLong, roundsOf } from '../support/run/long-form.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const own = join(root, 'clients', 'typescript')
const olderRuntime = fileURLToPath(new URL('../support/clients/older-runtime.ts', import.meta.url))
const run = promisify(execFile)

const example = readFileSync(join(own, 'examples', 'sync.ts'), 'utf8')
const snippets = snippetsIn(clientPages, 'ts')
  .filter(({ text }) => text !== example)
  .map((each, at) => ({ ...each, name: `snippet-${at}` }))
const receiptProgram = `import { Assize, verifyReceipt } from '@assize/client'
const receipt = await new Assize().receipts.get('steel-brackets', { period: '2024-Q2' })
const good: boolean = (await verifyReceipt(receipt)).problems.every(each => each.includes('nobody signed'))
const bad: boolean = (await verifyReceipt(receipt.replace('102.35', '103.35'))).isGood
console.log(JSON.stringify([good, bad]))
`
/** Three mistakes that the types find. */
const wrongProgram = `import { Assize } from '@assize/client'
const assize = new Assize()
for await (const row of assize.prices.list({ date: '2024-05-10' })) console.log(row.price * 2)
for await (const row of assize.prices.list({ day: '2024-05-10' })) console.log(row)
for await (const row of assize.adjustments.list()) console.log(row.pam)
`
/** More than a page of either list. */
const agreements = roundsOf('installing', 'agreements that a stranger’s project syncs in TypeScript', 220, 500)
/** Long forms are judged by no clock. */
const patienceMs = isLong('installing') ? 0 : 300_000
const items = 10

const { api } = house()
let tenant: Tenant
let folder: string
/** What the compiler said. */
let said: string
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'assize-stranger-')))
  // Beside the checkout, which other tests pack at the same time.
  const stage = join(folder, 'packed')
  for (const name of ['package.json', 'README.md', 'examples'])
    await cp(join(own, name), join(stage, name), { recursive: true })
  await run(process.execPath, [join(own, 'build', 'package.ts'), join(stage, 'dist')], { cwd: own })
  const words = ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', words, { cwd: stage })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], { cwd: folder })
  // The stranger has TypeScript and the types of Node.
  for (const name of ['typescript', '@types', 'undici-types'])
    if (existsSync(join(root, 'node_modules', name)))
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  await writeFile(join(folder, 'receipt.ts'), receiptProgram)
  await writeFile(join(folder, 'sync.ts'), example)
  for (const { name, text } of snippets) await writeFile(join(folder, `${name}.ts`), text)
  await writeFile(join(folder, 'wrong.ts'), wrongProgram)
  said = await compile('sync.ts', 'receipt.ts', 'wrong.ts', ...snippets.map(({ name }) => `${name}.ts`))
  tenant = await api.tenant()
  await fillPortfolio()
}, patienceMs)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Nobody is asked meanwhile: what is copied past the log is not heard of. */
async function fillPortfolio(): Promise<void> {
  await tenant.importUnheard(
    'series,period,value,published\nCUSTOM/steel,2023-12,100,2024-01-15\nCUSTOM/steel,2024-03,102.35,2024-04-28\n',
  )
  const { id } = await tenant.applyUnheard(`slug: steel-brackets
name: Brackets
status: ACTIVE
contract:
  start: 2024-01-01
  frequency: QUARTERLY
  price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } }
inputs:
  steel: { series: CUSTOM/steel, weight: 1, base: 2023-12, lag: 1 month, missing: LAST_KNOWN }
clause: { fixed: 0 }
parties: { supplier: [sam@supplier.test] }
`)
  await applyListUnheard(tenant, 'steel-brackets', listOf('12.40'))
  await copyAgreement(api.owner, tenant.id, id, agreements - 1)
  // The copies are no entries: a server that has read the list already would not see them.
  await api.restart()
}

function listOf(price: string): string {
  const rows = Array.from({ length: items }, (_, at) => `BR-${100 + at},${price},EUR,1,piece\n`)
  return `item,price,currency,per,unit\n${rows.join('')}`
}

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2022'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
}

/** What the compiler says. */
async function compile(...names: readonly string[]): Promise<string> {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, files: names }))
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  const { stdout } = await run(compiler, ['-p', '.'], { cwd: folder }).catch(error => error as { stdout: string })
  return stdout
}

/** The Node of the machine, where it has one of its own that is old. */
async function otherNode(): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(each => !each.includes('node_modules'))
  for (const program of folders.map(each => join(each, 'node')).filter(existsSync)) {
    const { stdout } = await run(program, ['--version'])
    const major = Number.parseInt(stdout.slice(1), 10)
    if (major >= 20 && major < 24) return program
  }
  return null
}

const environment = () => ({ PATH: process.env.PATH, ASSIZE_URL: api.address, ASSIZE_KEY: tenant.key })

async function sync(
  program: string,
  words: readonly string[],
  copy: string,
): Promise<{ lines: string[]; copy: CopyText }> {
  const { stdout } = await run(program, [...words, copy], {
    cwd: folder,
    env: environment(),
    maxBuffer: 32 * 1024 * 1024,
  })
  const lines = stdout.trimEnd().split('\n')
  return { lines, copy: JSON.parse(await readFile(join(folder, copy), 'utf8')) as CopyText }
}

interface CopyText {
  readonly agreements: Readonly<Record<string, { readonly status: string }>>
  readonly prices: Readonly<Record<string, readonly { readonly price: string }[]>>
}

describe('a stranger', () => {
  test('reads the same twenty lines in the guide, in the README and in the package', async () => {
    expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
    for (const page of ['docs/CLIENTS.md', 'clients/typescript/README.md'])
      expect(
        snippetsIn([page], 'ts').map(({ text }) => text),
        page,
      ).toContain(example)
    const installed = join(folder, 'node_modules', '@assize', 'client')
    expect(await readFile(join(installed, 'examples', 'sync.ts'), 'utf8')).toBe(example)
    const files = await readdir(join(installed, 'dist'))
    expect(files).toEqual(expect.arrayContaining(['client.js', 'client.d.ts', 'verification.js', 'LICENSES.txt']))
    const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
      dependencies?: object
    }
    expect(dependencies).toBeUndefined()
    for (const name of ['client.js', 'verification.js'])
      expect(await readFile(join(installed, 'dist', name), 'utf8')).not.toMatch(
        /\bwithResolvers\b|^import [^;]*from ["'][^.]/m,
      )
  })

  test(`compiles them strictly and syncs ${agreements} agreements with their item prices; then only what changed`, async () => {
    const first = await sync(process.execPath, ['--import', olderRuntime, 'sync.js'], 'copy.json')
    expect(first.lines.at(-1)).toBe(`${agreements} agreements, ${agreements} changed`)
    expect(Object.keys(first.copy.agreements)).toHaveLength(agreements)
    expect(Object.values(first.copy.prices).flat()).toHaveLength(agreements * items)
    await applyList(tenant, 'copy-00007', listOf('20.00'))
    const second = await sync(process.execPath, ['sync.js'], 'copy.json')
    expect(second.lines.at(-1)).toBe(`${agreements} agreements, 1 changed`)
    expect(second.lines[1]).toMatch(/^ {2}BR-100 from 0 on: 20\.00 EUR per 1 piece$/)
    expect(second.copy.prices['copy-00007']!.map(({ price }) => price)).toEqual(Array(items).fill('20.00'))
  })

  test('with Node 20, or one without what came after it, syncs and verifies a receipt', async () => {
    const older = await otherNode()
    const [program, words] = older === null ? [process.execPath, ['--import', olderRuntime]] : [older, []]
    const example = join('node_modules', '@assize', 'client', 'dist', 'examples', 'sync.js')
    const { lines } = await sync(program, [...words, example], 'older.json')
    expect(lines.at(-1)).toBe(`${agreements} agreements, ${agreements} changed`)
    for (const [node, more] of [
      [program, words],
      [process.execPath, ['--import', olderRuntime]],
    ] as const) {
      const { stdout } = await run(node, [...more, 'receipt.js'], { cwd: folder, env: environment() })
      expect(JSON.parse(stdout)).toEqual([true, false])
    }
  })

  test.each(snippets)('runs what stands at $place', async ({ name }) => {
    await run(process.execPath, [`${name}.js`, `${name}.json`], {
      cwd: folder,
      env: environment(),
      maxBuffer: 32 * 1024 * 1024,
    })
  })

  test('cannot compute with a decimal as if it were a number, nor ask for what is not there; nothing else is wrong', () => {
    const places = [...said.matchAll(/^([\w-]+\.ts\(\d+),/gm)].map(([, place]) => place)
    expect(places, said).toEqual(['wrong.ts(3', 'wrong.ts(4', 'wrong.ts(5'])
  })
})
