// What a command of the program is: its words for people, the options it takes, and what it does. Commands return an
// exit status and never end the process themselves.
import { parseArgs } from 'node:util'
import { Refusal } from '../core/refusal.ts'

export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  /** What stands behind the option in the help: `D`, `P`. */
  readonly value?: string
  readonly help: string
}

export interface Terminal {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly isTerminal: boolean
  readonly columns: number
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Invocation {
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  readonly json: boolean
  readonly terminal: Terminal
}

export interface Command {
  /** As it is called: `pam check`. */
  readonly name: string
  /** What stands behind the name: `<file>`. */
  readonly usage: string
  readonly summary: string
  readonly options: Readonly<Record<string, OptionSpec>>
  readonly positionals: { readonly least: number; readonly most: number }
  run(invocation: Invocation): Promise<number>
}

const everywhere: Readonly<Record<string, OptionSpec>> = {
  json: { type: 'boolean', help: 'one JSON value on standard output, nothing else there' },
  help: { type: 'boolean', help: 'this text' },
}

export function helpOf(command: Command): string {
  const options = Object.entries({ ...command.options, ...everywhere }).map(([name, { value, help }]) => {
    const left = value === undefined ? `--${name}` : `--${name} ${value}`
    return `  ${left.padEnd(22)}${help}`
  })
  return `assize ${command.name} ${command.usage}\n\n${command.summary}\n\nOptions\n${options.join('\n')}\n`
}

/** Reads the words behind a command's name; refuses what it does not know. */
export function parseInvocation(command: Command, words: readonly string[], terminal: Terminal): Invocation | 'help' {
  const specs = Object.entries({ ...command.options, ...everywhere })
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({
      args: [...words],
      options: Object.fromEntries(specs.map(([name, { type }]) => [name, { type }])),
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    throw new Refusal('invalid', `${firstSentence(error)}; see assize ${command.name} --help`)
  }
  const options = parsed.values as Record<string, string | boolean | undefined>
  if (options.help === true) return 'help'
  const { least, most } = command.positionals
  if (parsed.positionals.length < least || parsed.positionals.length > most)
    throw new Refusal('invalid', `the command is written as: assize ${command.name} ${command.usage}`)
  return { positionals: parsed.positionals, options, json: options.json === true, terminal }
}

function firstSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('. ')[0]!.replace(/\.$/, '')
}

export function textOption({ options }: Invocation, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}

export function writeJson({ terminal }: Invocation, value: unknown): void {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`)
}
