// The command line: finds the command, runs it, turns refusals into one line each on standard error and,
// with --json, into a value on standard output too.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Refusal } from '../core/refusal.ts'
import { findCommand, groupHelp, isGroup, overview } from './commands.ts'
import {
  helpOf,
  Misuse,
  parseInvocation,
  printJson,
  type Screen,
  statusOf,
  type Terminal,
  terminalOn,
} from './frame/command.ts'
import { explainDatabase } from './frame/database-trouble.ts'
import { explainFile } from './frame/file-trouble.ts'
import { fitHeap } from './frame/heap.ts'

export async function runProgram(words: readonly string[], env: Screen['env']): Promise<number> {
  // A reader that stops early (head, less) is not a failure.
  process.stdout.on('error', error => {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(0)
    throw error
  })
  const screen: Screen = {
    out: text => void process.stdout.write(text),
    err: text => void process.stderr.write(text),
    drained: async () => {
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
    },
    fitHeap,
    isTerminal: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 100,
    env,
  }
  return runWords(words, screen)
}

/** Runs the command of these words on any screen, and returns its exit status. */
export async function runWords(words: readonly string[], screen: Screen): Promise<number> {
  // After `--` everything is a name.
  const isJson = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length).includes('--json')
  if (!isJson) return runOrRefuse(words, terminalOn(screen))
  const heard = listenTo(screen)
  const terminal = terminalOn(heard.screen)
  const status = await runOrRefuse(words, terminal)
  if (status !== 0 && !heard.hasWritten()) printJson({ terminal }, { error: heard.problems() })
  return status
}

async function runOrRefuse(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await run(words, terminal)
  } catch (error) {
    const refusal = error instanceof Refusal ? error : (explainDatabase(error) ?? explainFile(error))
    if (refusal === null) throw error
    terminal.err(`assize: ${refusal.message}\n`)
    return statusOf(refusal)
  }
}

/** The screen, with a memory of whether there was a result and which problems were printed. */
function listenTo(screen: Screen) {
  let hasWritten = false
  let told = ''
  return {
    screen: {
      ...screen,
      out: (text: string) => {
        hasWritten = true
        screen.out(text)
      },
      err: (text: string) => {
        told += text
        screen.err(text)
      },
    },
    hasWritten: () => hasWritten,
    problems: () =>
      told
        .trimEnd()
        .replace(/^assize: /gm, '')
        .replaceAll('\n', '; '),
  }
}

async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const [first = '--help', second = '--help'] = words
  if (first === '--version') {
    const version = await readVersion()
    if (words.includes('--json')) printJson({ terminal }, { version, embedded: await readEmbedded() })
    else terminal.out(`assize ${version}`)
    return 0
  }
  if (first === 'help' && words.length > 1) return run([...words.slice(1), '--help'], terminal)
  if (first === '--help' || first === 'help') {
    terminal.out(await overview())
    return 0
  }
  const found = await findCommand(words)
  if (found === null) return explainGroup(first, second, terminal)
  const invocation = parseInvocation(found.command, found.rest, terminal)
  if (invocation === 'help') {
    terminal.out(helpOf(found.command))
    return 0
  }
  if (found.command.heap !== undefined) terminal.fitHeap?.(found.command.heap)
  return found.command.run(invocation)
}

/** Explains words that are not a command: the beginning of some commands, or of none. */
async function explainGroup(first: string, second: string, terminal: Terminal): Promise<number> {
  if (isGroup(first) && second === '--help') {
    terminal.out(await groupHelp(first))
    return 0
  }
  const [named, listing] = isGroup(first) ? [`${first} ${second}`, `assize ${first} --help`] : [first, 'assize --help']
  throw new Misuse(`there is no command "${named}"; ${listing} lists them`)
}

/** Loaded here, because nothing else needs it. */
async function readEmbedded() {
  const { readEmbeddedVersions } = await import('../storage/embedded/versions.ts')
  return readEmbeddedVersions()
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
