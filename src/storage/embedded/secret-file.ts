// Small secrets in files that only we may read: made once, the same for every process that asks. A secret is never overwritten.
import { link, open, readFile, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Text of the file; where there is none, the result of `make` is kept and returned. */
export async function keepFile(path: string, make: () => string): Promise<string> {
  const stored = await readKept(path)
  if (stored !== null) return stored
  const unfinished = `${path}.${process.pid}.${performance.now()}`
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(`${make()}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  // A link fails where another process was faster, whose file then counts.
  await link(unfinished, path).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(unfinished)
  await syncFolder(dirname(path))
  const kept = await readKept(path)
  if (kept === null) throw new Error(`${path} vanished while it was made`)
  return kept
}

export async function readKept(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Makes a new name in the folder outlive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
