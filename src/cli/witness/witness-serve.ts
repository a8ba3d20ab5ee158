// `witness serve`: watches logs for others, from one small process with nothing but a folder.
import { readNoteKey, writeNoteKey } from '../../core/proof/note-key.ts'
import { endingSignals } from '../../storage/embedded/exit-on-signal.ts'
import { type Command, type Invocation, Misuse, textOption, textOptions, writeJson } from '../frame/command.ts'
import { Witness } from './witness.ts'
import { startWitnessServer } from './witness-server.ts'
import { WitnessState } from './witness-state.ts'

export const stateOption = {
  type: 'string',
  value: 'D',
  help: 'the folder with the key of the witness and what it signed; made if it is not there',
} as const

export const logOption = {
  type: 'string',
  multiple: true,
  value: 'vkey',
  help: 'the key of a log, name+digits+base64, as its operator prints it; may be repeated',
} as const

export const nameOption = {
  type: 'string',
  value: 'N',
  help: 'what the witness is called, such as supplier.example/witness; set once, with its key',
} as const

export const witnessServeCommand: Command = {
  name: 'witness serve',
  usage: '--state D --log vkey… [--name N] [--host H] [--port P]',
  summary:
    'Signs checkpoints of logs that only grow, for whoever asks (tlog-witness). The key to pass on is printed at the start.',
  options: {
    state: stateOption,
    log: logOption,
    name: nameOption,
    host: { type: 'string', value: 'H', help: 'the address to listen at (127.0.0.1)' },
    port: { type: 'string', value: 'P', help: 'the port to listen at (7380)' },
  },
  positionals: { least: 0, most: 0 },
  async run(invocation) {
    const { state, witness } = await openWitness(invocation)
    const { terminal } = invocation
    const running = await startWitnessServer(
      witness,
      { host: textOption(invocation, 'host') ?? '127.0.0.1', port: portOf(invocation) },
      line => terminal.err(`${line}\n`),
    )
    const key = writeNoteKey(state.signer.key)
    if (invocation.json) writeJson(invocation, { address: running.address, key })
    else terminal.out([`This witness listens at ${running.address}`, `Its key: ${key}`])
    await firstSignal()
    await running.stop()
    return 0
  },
}

/** The witness of the folder that is given, which watches the logs that are given. */
export async function openWitness(invocation: Invocation): Promise<{ state: WitnessState; witness: Witness }> {
  const folder = textOption(invocation, 'state')
  const logs = textOptions(invocation, 'log').map(readNoteKey)
  if (folder === null) throw new Misuse('--state D must be given: the folder of the witness')
  if (logs.length === 0) throw new Misuse('--log vkey must be given: the key of a log that is watched')
  const state = await WitnessState.open(folder, textOption(invocation, 'name'))
  return { state, witness: new Witness(state, logs, Date.now) }
}

function portOf(invocation: Invocation): number {
  const text = textOption(invocation, 'port') ?? '7380'
  const port = /^\d{1,5}$/.test(text) ? Number.parseInt(text, 10) : -1
  if (port < 0 || port > 65_535) throw new Misuse(`--port must be a whole number from 0 to 65535, got "${text}"`)
  return port
}

function firstSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const name of endingSignals) process.once(name, () => resolve())
  return promise
}
