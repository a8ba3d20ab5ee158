// What a new user has: the demo served by the real program, a process on a database of its own. For measurements and pictures;
// the stories of the tests are served by their own process (house.ts).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localAddress } from '../../src/config.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { keepSecrets } from '../../src/storage/keys/secret-file.ts'
import { startStandIn } from '../stand-in/stand-in.ts'
import { commandOutput, processEnv, program } from '../support/clients/command-output.ts'
import { fillWithDemo } from '../support/run/prepared-folder.ts'
import { type House, type HouseOptions, openWindows } from './windows.ts'

export async function openProgramHouse({ env: more = {}, furniture }: HouseOptions = {}): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-browser-'))
  await fillWithDemo(folder)
  const dataFolder = join(folder, 'data')
  const standIn = await startStandIn({ port: 0, limits: 'none', at: '2025-06-15' })
  const env = { ...processEnv, ASSIZE_DATA: dataFolder, PORT: '0', LOG_LEVEL: 'warn', ...standIn.environment, ...more }
  const command: House['command'] = (...words) => commandOutput(words, env)
  await furniture?.make(command)
  const child = spawn(process.execPath, ['--import', tie, program, 'serve', '--json'], { env, stdio: 'pipe' })
  const leave = async () => {
    if (child.exitCode === null) {
      const left = once(child, 'exit')
      child.kill('SIGTERM')
      await left
    }
    await standIn.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const address = await readAddress(child)
    const ring = KeyRing.of(await keepSecrets(dataFolder))
    return await openWindows({ address, dataFolder, ring, standIn, command, leave })
  } catch (error) {
    await leave()
    throw error
  }
}

const tie = fileURLToPath(new URL('../support/run/ends-with-its-parent.ts', import.meta.url))

async function readAddress(child: ChildProcess): Promise<string> {
  let [said, complained] = ['', '']
  child.stderr!.setEncoding('utf8').on('data', text => {
    complained += text
  })
  return new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the server ended with ${code}: ${complained}`)))
    child.stdout!.setEncoding('utf8').on('data', text => {
      said += text
      const listening = /"address":\s*"([^"]+)"/.exec(said)
      if (listening === null) return
      const { hostname, port } = new URL(listening[1]!)
      resolve(localAddress(hostname, Number(port)))
    })
  })
}
