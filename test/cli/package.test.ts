// The package as a user without a checkout gets it: packed, unpacked into an empty folder, and run there by any Node the
// machine has. In the long form npm installs it with its own `--global`, or runs it by `npx` without installing it. An auditor
// needs no more than this to verify a receipt.
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { onlyLong } from '../support/run/long-form.ts'
import { longTest } from '../support/run/long-test.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Without the Node of this checkout, if the machine has another. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => !folder.includes('node_modules'))
  .join(delimiter)

/** Long forms are judged by no clock. */
const isInstalled = onlyLong('installing', 'the package as npm and npx install it')
const patienceMs = isInstalled ? 0 : 300_000

let folder: string
let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] }
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'assize-package-')))
  await (isInstalled ? install() : unpack())
  await mkdir(join(folder, 'empty'))
}, patienceMs)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** With everything that its scripts build and npm brings. */
async function install(): Promise<void> {
  await pack()
  const words = [
    'install',
    '--global',
    '--prefix',
    join(folder, 'global'),
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ]
  await run('npm', [...words, join(folder, packed.filename)], folder)
}

/** With the pages as they were built and the types as they were checked before the tests, and the dependencies of this checkout. */
async function unpack(): Promise<void> {
  await run(process.execPath, [join(root, 'build', 'compile.ts'), '--noCheck'], root)
  await pack('--ignore-scripts')
  await mkdir(installed(), { recursive: true })
  await run('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', installed()], folder)
  await symlink(join(root, 'node_modules'), installed('node_modules'))
}

async function pack(...more: readonly string[]): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--json', '--silent', ...more, '--pack-destination', folder], root)
  // The output of the package's scripts comes first.
  ;[packed] = JSON.parse(stdout.slice(stdout.search(/^\[$/m))) as [typeof packed]
}

const installed = (...path: readonly string[]) => join(folder, 'global', 'lib', 'node_modules', 'assize', ...path)

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

function assize(...words: string[]) {
  const [program, ...first] = isInstalled
    ? [join(folder, 'global', 'bin', 'assize')]
    : ['node', installed('bin', 'assize.js')]
  return run(program!, [...first, ...words], join(folder, 'empty'))
}

describe('the package', () => {
  test('contains what runs and nothing else', () => {
    const files = packed.files.map(each => each.path)
    const kinds = [
      /^dist\/.+\.(?:js|sql|yaml|css)$/,
      /^dist\/demo\/.+\.(?:csv|txt)$/,
      /^web\/dist\//,
      /^bin\/assize\.js$/,
      /^clients\/typescript\/dist\//,
    ]
    const others = files.filter(file => !kinds.some(kind => kind.test(file))).sort()
    const client = ['README.md', 'examples/sync.ts', 'package.json'].map(name => `clients/typescript/${name}`)
    const verifier = ['verifier/README.md', 'verifier/assize_verify.py']
    expect(others).toEqual(['LICENSE', 'README.md', ...client, 'package.json', ...verifier])
    expect(files.filter(file => /\.test\.|^src\/|^test\//.test(file))).toEqual([])
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/cli/assize.js',
        'dist/storage/migrations/0001-foundations.sql',
        'web/dist/index.html',
      ]),
    )
    // What the program reads beside its own code: migrations, the agreements and figures of the demo, styles.
    const read = globSync('**/*.*', { cwd: join(root, 'src') }).filter(path => !path.endsWith('.ts'))
    expect(read.length).toBeGreaterThan(30)
    expect(files).toEqual(expect.arrayContaining(read.map(path => `dist/${path}`)))
  })

  test('starts no thread and imports nothing that is not in it or comes with it', async () => {
    const { dependencies } = JSON.parse(await readFile(installed('package.json'), 'utf8')) as { dependencies: object }
    const files = new Set(packed.files.map(each => each.path))
    const missing: string[] = []
    const brought = new Set<string>()
    for (const file of [...files].filter(each => /^dist\/.*\.js$/.test(each))) {
      const text = await readFile(installed(file), 'utf8')
      const named = text.matchAll(/(?:from |import\(|new URL\()\s*['"](\.[^'"]*\.[jt]sx?)['"]/g)
      for (const [, name] of named) {
        const target = new URL(name!, `file:///${file}`).pathname.slice(1)
        if (!files.has(target)) missing.push(`${file}: ${name}`)
      }
      const others =
        /(?:^(?:import|export) [\w\s$*{},]*?from |^import |\bimport\()['"]((?:@[\w.-]+\/)?[\w-][\w.-]*)(?=['"/])/gm
      for (const [, name] of text.matchAll(others)) {
        brought.add(name!)
        if (!Object.hasOwn(dependencies, name!)) missing.push(`${file}: ${name}`)
      }
    }
    expect(missing).toEqual([])
    expect(brought).toContain('fastify')
  })

  test('prints its version', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    expect((await assize('--version')).stdout).toBe(`assize ${version}\n`)
  })

  longTest('installing', 'creates the demo with the included PostgreSQL', async () => {
    const { stdout } = await assize('demo', '--no-serve', '--json')
    const { workspace, trials } = JSON.parse(stdout) as { workspace: string; trials: { lines: string[] }[] }
    expect(workspace).toBe('demo')
    expect(trials.flatMap(({ lines }) => lines)).toContain('assize verify receipt.json')
    const listed = JSON.parse((await assize('pam', 'list', '--workspace', 'demo', '--json')).stdout) as unknown[]
    expect(listed).toHaveLength(10)
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
  longTest('installing', 'does the same with npx, without being installed', async () => {
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
  })
})
