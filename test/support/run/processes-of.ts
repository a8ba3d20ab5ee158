// Who works on a folder, also those that no file of it names.
import { readdir, readFile } from 'node:fs/promises'

/** The processes that were started with the folder's name, or have it in their environment; Linux only. */
export async function processesOf(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name))
  const found = await Promise.all(
    ids.map(async id => {
      const words = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
      const environment = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')
      return words.includes(folder) || environment.includes(folder) ? `${id} ${words.replaceAll('\0', ' ')}` : null
    }),
  )
  return found.filter(each => each !== null)
}
