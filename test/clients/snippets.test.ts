// Every example in the pages for integrators runs: shell with curl, and Python, against the real server with the agreement
// that the pages speak of. Those in TypeScript are compiled and run in package.test.ts, in a stranger's project.
import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientPages, countBlocks, snippetsIn } from '../support/files/snippets.ts'
import type { Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { fillBrackets, withMoney } from '../support/houses/priced-tenant.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const has = (program: string) => spawnSync(program, ['--version']).status === 0

const { api } = house()
let tenant: Tenant
let folder: string
let series: string
let cursor: string
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'assize-snippets-')))
  const reader = await api.tenant()
  await fillBrackets(reader)
  tenant = await withMoney(reader)
  series = await reader.seriesId('CUSTOM/steel')
  const feed = await tenant.extJson<{ pagination: { nextCursor: string } }>('/changes')
  cursor = feed.pagination.nextCursor
  await mkdir(join(folder, 'invoices', 'done'), { recursive: true })
  await writeFile(join(folder, 'invoices', '4711.xml'), '')
  await writeFile(
    join(folder, 'may.csv'),
    'invoice,line,agreement,item,date,quantity,unit_price\n4711,1,steel-brackets,BR-100,2024-05-10,5,12.73\n',
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const environment = () => ({
  PATH: process.env.PATH,
  HOME: folder,
  PYTHONPATH: join(root, 'clients', 'python'),
  URL: api.address,
  KEY: tenant.key,
  SERIES: series,
  CURSOR: cursor,
  ASSIZE_URL: api.address,
  ASSIZE_KEY: tenant.key,
})

/**
 * A refused request fails; the command is that of the checkout; what the block says of address and key is known here. Commands on
 * the server itself are only looked up: their own tests run them.
 */
const prelude = `set -euo pipefail
curl() { command curl --fail-with-body --silent --show-error "$@"; }
assize() { npx assize "$1" "$2" --help; }
npx() { [ "$1" = assize ]; shift; '${process.execPath}' '${join(root, 'src', 'cli', 'assize.ts')}' "$@"; }
`
const withoutPlaceholders = (text: string) => text.replace(/^export URL=.*$/gm, '').replaceAll('/var/spool', folder)

const shell = snippetsIn(clientPages, 'sh')
const python = snippetsIn(clientPages, 'py', 'python')

test('the pages have examples in shell, and every block says its language', () => {
  expect(shell.length).toBeGreaterThan(3)
  const known = ['sh', 'ts', 'py', 'python', 'json', 'powerquery', 'text']
  for (const page of clientPages) expect(snippetsIn([page], ...known), page).toHaveLength(countBlocks(page))
  for (const { place, text } of snippetsIn(clientPages, 'json')) expect(() => JSON.parse(text), place).not.toThrow()
})

test.skipIf(!has('curl') || !has('bash')).each(shell)('$place runs in a shell', async ({ text }) => {
  await run('bash', ['-c', `${prelude}${withoutPlaceholders(text)}`], { cwd: folder, env: environment() })
})

test.skipIf(!has('python3')).each(python)('$place runs in Python', async ({ text }) => {
  await run('python3', ['-W', 'error', '-c', text], { cwd: folder, env: environment() })
})
