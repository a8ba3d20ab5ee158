// The package as a user without a checkout gets it: packed, installed into an empty folder with npm's own `--global`, and
// run there by any Node the machine has; or run by `npx` without being installed. An auditor needs no more than this
// to verify a receipt.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { isLongForm } from '../support/run/long-form.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Without the Node of this checkout, if the machine has another. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => !folder.includes('node_modules'))
  .join(delimiter)

let folder: string
let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] }
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'assize-package-')))
  const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], root)
  // The output of the package's scripts comes first.
  ;[packed] = JSON.parse(stdout.slice(stdout.search(/^\[$/m))) as [typeof packed]
  const install = [
    'install',
    '--global',
    '--prefix',
    join(folder, 'global'),
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ]
  await run('npm', [...install, join(folder, packed.filename)], folder)
  await mkdir(join(folder, 'empty'))
}, 300_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What npm needs on some machines to reach its registry: certificates, a proxy, the place of the registry itself. */
const ways = ['node_extra_ca_certs', 'ssl_cert_file', 'ssl_cert_dir', 'http_proxy', 'https_proxy', 'no_proxy']
const npmWays = ['registry', 'cafile', 'proxy', 'https_proxy', 'noproxy'].map(name => `npm_config_${name}`)
const waysHere = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => [...ways, ...npmWays].includes(name.toLowerCase())),
)

function run(program: string, words: readonly string[], cwd: string, more: Readonly<Record<string, string>> = {}) {
  const env = { PATH: path, HOME: process.env.HOME, ...waysHere, ASSIZE_DATA: join(folder, 'data'), ...more }
  return promisify(execFile)(program, [...words], { cwd, env, maxBuffer: 64 * 1024 * 1024 })
}

const assize = (...words: string[]) => run(join(folder, 'global', 'bin', 'assize'), words, join(folder, 'empty'))

describe('the package', () => {
  test('contains what runs and nothing else', () => {
    const files = packed.files.map(each => each.path)
    const kinds = [
      /^dist\/.+\.(?:js|js\.map|d\.ts|sql|yaml|css)$/,
      /^dist\/demo\/.+\.csv$/,
      /^web\/dist\//,
      /^bin\/assize\.js$/,
    ]
    const others = files.filter(file => !kinds.some(kind => kind.test(file))).sort()
    expect(others).toEqual(['LICENSE', 'README.md', 'package.json'])
    expect(files.filter(file => /\.test\.|^src\/|^test\//.test(file))).toEqual([])
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/cli/assize.js',
        'dist/cli/assize.js.map',
        'dist/core/numbers/ratio.d.ts',
        'dist/storage/migrations/0001-workspaces.sql',
        'web/dist/index.html',
      ]),
    )
  })

  test('starts no thread and imports no file that is not in it', async () => {
    const files = new Set(packed.files.map(each => each.path))
    const missing: string[] = []
    for (const file of [...files].filter(each => /^dist\/.*\.js$/.test(each))) {
      const text = await readFile(join(folder, 'global', 'lib', 'node_modules', 'assize', file), 'utf8')
      const named = text.matchAll(/(?:from |import\(|new URL\()\s*['"](\.[^'"]*\.[jt]sx?)['"]/g)
      for (const [, name] of named) {
        const target = new URL(name!, `file:///${file}`).pathname.slice(1)
        if (!files.has(target)) missing.push(`${file}: ${name}`)
      }
    }
    expect(missing).toEqual([])
  })

  test('prints its version', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    expect((await assize('--version')).stdout).toBe(`assize ${version}\n`)
  })

  test('creates the demo with the included PostgreSQL', async () => {
    const { stdout } = await assize('demo', '--no-serve', '--json')
    const { workspace, trials } = JSON.parse(stdout) as { workspace: string; trials: { lines: string[] }[] }
    expect(workspace).toBe('demo')
    expect(trials.flatMap(({ lines }) => lines)).toContain('assize verify receipt.json')
    const listed = JSON.parse((await assize('pam', 'list', '--workspace', 'demo', '--json')).stdout) as unknown[]
    expect(listed).toHaveLength(6)
  })

  let receipts: Promise<void> | null = null
  /** `receipt.json`, and `forged.json` with another price. */
  function writeReceipts(): Promise<void> {
    receipts ??= evaluateReceipts()
    return receipts
  }

  async function evaluateReceipts(): Promise<void> {
    const at = (name: string) => join(folder, 'empty', name)
    await writeFile(at('pam.yaml'), bracketsDocument())
    await writeFile(at('table.csv'), bracketsTable)
    const { stdout } = await assize('evaluate', 'pam.yaml', '--data', 'table.csv', '--period', '2024-Q2', '--receipt')
    await writeFile(at('receipt.json'), stdout)
    await writeFile(at('forged.json'), stdout.replace('106.71', '106.72'))
  }

  test('evaluates a formula and verifies its receipt without a database', async () => {
    await writeReceipts()
    expect((await assize('verify', 'receipt.json', '--json').catch(error => error)).stdout).toContain('"same"')
    await expect(assize('verify', 'forged.json')).rejects.toMatchObject({ code: 1 })
  })

  // It installs everything once more.
  if (isLongForm)
    test('does the same with npx, without being installed', async () => {
      await writeReceipts()
      // Uses npm's cache; what npx unpacks is deleted with this folder.
      const held = (await run('npm', ['config', 'get', 'cache'], folder)).stdout.trim()
      const cache = join(folder, 'npm-cache')
      await mkdir(cache)
      await symlink(join(held, '_cacache'), join(cache, '_cacache'))
      const tarball = join(folder, packed.filename)
      const words = ['--yes', '--prefer-offline', '--package', tarball, 'assize', 'verify', 'receipt.json']
      const verdict = await run('npx', words, join(folder, 'empty'), { npm_config_cache: cache }).catch(error => error)
      const here = await assize('verify', 'receipt.json').catch(error => error)
      expect([verdict.code, verdict.stdout]).toEqual([here.code, here.stdout])
      // After npm's own messages about the machine's Node.
      expect(verdict.stderr.slice(-here.stderr.length)).toBe(here.stderr)
      expect(here.stderr).toContain('it recomputes, but nobody signed it')
    }, 300_000)
})
