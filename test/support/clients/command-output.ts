// A command of the program as a process of its own, for what it writes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { startFile } from '../run/start-files.ts'

export const program = startFile('assize')

/**
 * What every process of the program is given. With the cache known from its start, it does not even load what strips types from
 * the first files.
 */
export const processEnv: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  ...(process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
}

/** Refuses a status other than 0. */
export async function commandOutput(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [[code], out, err] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  if (code !== 0) throw new Error(`assize ${words.join(' ')} ended with ${code}: ${err}`)
  return out
}
