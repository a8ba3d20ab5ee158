// `npm run client`: builds the package from its sources. The types follow from the descriptions of the API, the check of receipts
// from the sources of the engine; both end up in plain JavaScript for Node 20 and browsers. With `--wire` it only writes the types; with
// a folder it builds into that and leaves the checkout alone.
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeWire } from './wire.ts'

const own = join(import.meta.dirname, '..')
const root = join(own, '..', '..')
const [asked] = process.argv.slice(2)

if (asked === undefined || asked === '--wire') writeFileSync(join(own, 'src', 'wire.ts'), writeWire())
if (asked !== '--wire') await build(asked ?? join(own, 'dist'))

async function build(dist: string): Promise<void> {
  rmSync(dist, { recursive: true, force: true })
  const vite = await import('vite')
  await vite.build({
    configFile: false,
    root: own,
    logLevel: 'error',
    build: {
      outDir: dist,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      lib: { entry: { client: join(own, 'src', 'client.ts') }, formats: ['es'] },
      rolldownOptions: { output: { chunkFileNames: '[name].js' } },
    },
  })
  declareTypes(dist)
  // Node 20 does not read TypeScript.
  mkdirSync(join(dist, 'examples'))
  const example = readFileSync(join(own, 'examples', 'sync.ts'), 'utf8')
  writeFileSync(join(dist, 'examples', 'sync.js'), stripTypeScriptTypes(example))
  writeFileSync(join(dist, 'LICENSES.txt'), licences())
}

/** Only of the client's own files: the engine behind the check of receipts shows nothing of itself. */
function declareTypes(dist: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'assize-types-'))
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  const options = ['--noEmit', 'false', '--emitDeclarationOnly', '--declaration', '--noCheck', '--outDir', folder]
  const done = spawnSync(compiler, ['-p', own, ...options], { stdio: 'inherit', shell: process.platform === 'win32' })
  if (done.status !== 0) process.exit(done.status ?? 1)
  const made = join(folder, 'clients', 'typescript', 'src')
  for (const name of globSync('*.d.ts', { cwd: made })) {
    const text = readFileSync(join(made, name), 'utf8')
    if (name !== 'verification.d.ts')
      writeFileSync(join(dist, name), text.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Ours, and those of what is built into the check of receipts. */
function licences(): string {
  const bundled = ['yaml', '@noble/hashes'].map(name => {
    return `The check of receipts contains ${name}:\n\n${readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')}`
  })
  return [readFileSync(join(root, 'LICENSE'), 'utf8'), ...bundled].join(`\n${'-'.repeat(80)}\n\n`)
}
