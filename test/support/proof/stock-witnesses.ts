// A witness that others have written, where the machine has it: `sigsum-witness` (Debian: package sigsum-go), on the PATH or in the
// folder that STOCK_WITNESSES names. An unpacked package does; nothing has to be installed.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningWitness } from './plain-witness.ts'
import { SmallLog } from './small-log.ts'

function find(program: string): string | null {
  const folders = `${process.env.STOCK_WITNESSES ?? ''}${delimiter}${process.env.PATH ?? ''}`.split(delimiter)
  return folders.map(folder => join(folder, program)).find(path => path !== program && existsSync(path)) ?? null
}

export interface StockWitness {
  readonly name: string
  /** A log that such a witness can watch. */
  makeLog(leaves: number): SmallLog
  start(log: SmallLog, folder: string): Promise<RunningWitness>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

async function untilOpen(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('close', () => socket.destroy()).end()
    })
    if (isOpen) return
    if (child.exitCode !== null) throw new Error(`the witness ended with status ${child.exitCode}`)
    await sleep(20)
  }
}

function stopping(child: ChildProcess): () => Promise<void> {
  return async () => {
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill()
    await ended
  }
}

/** The bytes of a key in a line of OpenSSH. */
function readSshKey(path: string): Buffer {
  return Buffer.from(readFileSync(path, 'utf8').split(' ')[1]!, 'base64').subarray(-32)
}

function cosignerKey(name: string, key: Buffer): string {
  const id = createHash('sha256').update(`${name}\n\x04`).update(key).digest('hex').slice(0, 8)
  return `${name}+${id}+${Buffer.concat([Buffer.of(4), key]).toString('base64')}`
}

function sigsum(witness: string, keys: string): StockWitness {
  return {
    name: 'sigsum-witness',
    makeLog: leaves =>
      SmallLog.withLeaves(leaves, key => `sigsum.org/v1/tree/${createHash('sha256').update(key).digest('hex')}`),
    async start(log, folder) {
      const [own, ofLog] = [join(folder, 'key'), join(folder, 'log.pub')]
      execFileSync(keys, ['generate', '-o', own])
      execFileSync(keys, ['from-hex', '-o', ofLog], { input: `${log.publicKey.toString('hex')}\n` })
      const port = await freePort()
      const state = join(folder, 'state')
      const words = ['-k', own, '--log-key', ofLog, '--state-file', state, `127.0.0.1:${port}`]
      const child = spawn(witness, words, { stdio: 'ignore' })
      await untilOpen(port, child)
      const key = readSshKey(`${own}.pub`)
      const name = `sigsum.org/v1/witness/${createHash('sha256').update(key).digest('hex')}`
      return { url: `http://127.0.0.1:${port}`, vkey: cosignerKey(name, key), stop: stopping(child) }
    },
  }
}

/** The stock witnesses that this machine has. */
export function stockWitnesses(): readonly StockWitness[] {
  const [witness, keys] = ['sigsum-witness', 'sigsum-key'].map(find)
  return witness && keys ? [sigsum(witness, keys)] : []
}
