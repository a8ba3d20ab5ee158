// The command line: finds the command, runs it, turns refusals into one line each on standard error.
import { Refusal } from '../core/refusal.ts'
import { helpOf, parseInvocation, type Terminal } from './command.ts'
import { findCommand, overview } from './commands.ts'
import { explainDatabase } from './database-trouble.ts'
import { explainFile } from './file-trouble.ts'

/** The exit status. */
export async function runProgram(words: readonly string[], env: Terminal['env']): Promise<number> {
  // A reader that stops early (head, less) is no failure of ours.
  process.stdout.on('error', error => {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(0)
    throw error
  })
  const terminal: Terminal = {
    out: text => void process.stdout.write(text),
    err: text => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 100,
    env,
  }
  try {
    return await run(words, terminal)
  } catch (error) {
    const refusal = error instanceof Refusal ? error : (explainDatabase(error) ?? explainFile(error))
    if (refusal === null) throw error
    terminal.err(`assize: ${refusal.message}\n`)
    return 1
  }
}

async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  if (words.length === 0 || words[0] === '--help' || words[0] === 'help') {
    terminal.out(overview())
    return 0
  }
  const found = findCommand(words)
  if (found === null) {
    terminal.err(`assize: there is no command "${words.slice(0, 2).join(' ')}"; assize --help lists them\n`)
    return 2
  }
  const invocation = parseInvocation(found.command, found.rest, terminal)
  if (invocation === 'help') {
    terminal.out(helpOf(found.command))
    return 0
  }
  return found.command.run(invocation)
}
