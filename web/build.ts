// `npm run build`: builds web/dist from web/ if any of its sources changed since the last build, and compresses every file.
// Where the build tools are not installed (a production install), it keeps the existing files.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const dist = join(import.meta.dirname, 'dist')
/** Built in a separate folder, then moved into place: a server that starts meanwhile finds the old pages or the new ones. */
const making = join(import.meta.dirname, `dist-${process.pid}`)
const stampName = 'made-from.txt'

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

/** A hash of everything that is built here: from the pages' own files, the shared core and wire types, the workbook, and the lockfile. */
function stampOf(): string {
  const own = filesUnder(import.meta.dirname).filter(file => !file.startsWith(dist))
  const folders = ['src/core', 'src/formats', 'src/views', 'build', 'clients/power-query']
  const shared = folders.flatMap(folder => filesUnder(join(root, folder)))
  const hash = createHash('sha256')
  for (const file of [...own, ...shared, join(root, 'package-lock.json')].sort())
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex')
}

/** The server sends these files as they are, so the slowest and best compression pays off. */
function pack(): void {
  for (const file of filesUnder(making).filter(each => /\.(?:js|css|html|svg|txt)$/.test(each))) {
    const body = readFileSync(file)
    if (statSync(file).size < 1024 || file === join(making, 'index.html')) continue
    writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }))
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      }),
    )
  }
}

/** The page that checks an evidence package: one file, because it is opened from disk. */
async function makeOfflinePage(vite: typeof import('vite')): Promise<void> {
  const folder = join(import.meta.dirname, 'offline')
  const built = await vite.build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2023',
      lib: { entry: join(folder, 'verify.ts'), formats: ['iife'], name: 'assizeVerify' },
    },
  })
  const [made] = [built].flat() as { output: { type: string; fileName: string; code?: string }[] }[]
  const script = made!.output.find(({ type }) => type === 'chunk')!.code!
  const style = readFileSync(join(folder, 'verify.css'), 'utf8')
  const page = readFileSync(join(folder, 'verify.html'), 'utf8')
  // Replacer functions, because a `$` in a replacement string would have a special meaning.
  const whole = page
    .replace('/* the style */', () => style)
    .replace('/* the script */', () =>
      script.replaceAll(/<(?=\/script|!--)/gi, '\\x3c').replaceAll(/[^\n -~]/g, escapeCharacter),
    )
  mkdirSync(join(making, 'offline'), { recursive: true })
  writeFileSync(join(making, 'offline', 'verify.html'), whole)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const stamp = stampOf()
const stampFile = join(dist, stampName)
const made = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : null
if (made !== stamp) {
  const vite = await import('vite').catch(() => null)
  if (vite === null) {
    process.stderr.write(
      made === null
        ? 'the web interface is not built: its tools are not installed (npm ci without --omit=dev)\n'
        : 'the web interface is older than its sources, and its tools are not installed to build it again\n',
    )
  } else {
    try {
      const configFile = join(import.meta.dirname, 'vite.config.ts')
      await vite.build({ configFile, logLevel: 'error', build: { outDir: making } })
      await makeOfflinePage(vite)
      // Loaded here: a production install has not what it is made with.
      const { makeWorkbook } = await import('../build/workbook.ts')
      writeFileSync(join(making, 'offline', 'assize.xlsx'), await makeWorkbook())
      pack()
      writeFileSync(join(making, stampName), stamp)
      rmSync(dist, { recursive: true, force: true })
      renameSync(making, dist)
    } finally {
      rmSync(making, { recursive: true, force: true })
    }
  }
}
