// A command of the program as a process of its own, for what it writes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const program = fileURLToPath(new URL('../../src/cli/assize.ts', import.meta.url))

/** Refuses a status other than 0. */
export async function commandOutput(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [[code], out, err] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  if (code !== 0) throw new Error(`assize ${words.join(' ')} ended with ${code}: ${err}`)
  return out
}
