// A command of the program: its help text, its options, and its work. Commands return an exit status and never end the process
// themselves.
import { parseArgs } from 'node:util'
import { Refusal, refusalKinds } from '../../core/refusal.ts'
import { visibleJson, visibleLines, visibleText } from '../../core/text/foreign-text.ts'
import type { HeapSize } from './heap.ts'

export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  /** Whether it may be given several times; see `textOptions`. */
  readonly multiple?: true
  /** The placeholder after the option in the help: `D`, `P`. */
  readonly value?: string
  readonly help: string
}

/**
 * Words for people: a line, or lines one after the other. A line feed inside of a line is not ours and is shown as an escape, as
 * every invisible sign is, so that no name can write a line; the line's own end may be there or not.
 */
export type Words = string | readonly Words[]

/** Lines of a text whose line feeds are its own: a document, a note. */
export function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}

/** Outputs of a process, for its command. */
export interface Screen {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Resolves when a slow reader has read most of what was written; left out if nothing has to wait. */
  readonly drained?: () => Promise<void>
  /** Left out if the process is not the command's alone. */
  readonly fitHeap?: (size: HeapSize) => void
  readonly isTerminal: boolean
  readonly columns: number
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The one way on which anything is printed. */
export interface Terminal extends Omit<Screen, 'out' | 'err'> {
  readonly out: (words: Words) => void
  readonly err: (words: Words) => void
  /** A file in a format of its own: its bytes, unless people look at them. */
  readonly file: (text: string) => void
  /** The line that is redrawn, on standard error. */
  readonly redraw: (line: string) => void
}

export function terminalOn(screen: Screen): Terminal {
  return {
    ...screen,
    out: words => screen.out(writtenOut(words)),
    err: words => screen.err(writtenOut(words)),
    file: text => screen.out(screen.isTerminal ? visibleLines(text) : text),
    redraw: line => screen.err(`\r${visibleText(line)}\u001b[K`),
  }
}

function writtenOut(words: Words): string {
  if (typeof words !== 'string') return words.map(writtenOut).join('')
  return `${visibleText(words.replace(/\n$/, ''))}\n`
}

export interface Invocation {
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly json: boolean
  readonly terminal: Terminal
}

export interface Command {
  /** Name as it is typed: `agreement check`. */
  readonly name: string
  /** Arguments after the name: `<file>`. */
  readonly usage: string
  readonly summary: string
  readonly options: Readonly<Record<string, OptionSpec>>
  readonly positionals: { readonly least: number; readonly most: number }
  /** Heap of the process; V8's own choice by default. */
  readonly heap?: HeapSize
  run(invocation: Invocation): Promise<number>
}

const everywhere: Readonly<Record<string, OptionSpec>> = {
  json: { type: 'boolean', help: 'prints one JSON value on standard output and nothing else' },
  help: { type: 'boolean', help: 'prints this text' },
}

/** Help fits a terminal of this many columns. */
const helpColumns = 100

/** Two columns, the second wrapped next to the first. */
export function inColumns(rows: readonly (readonly [left: string, right: string])[], width: number): string[] {
  return rows.flatMap(([left, right]) => wrap(`  ${left.padEnd(width)}${right}`, width + 2))
}

/** Lines no wider than the help; those after the first are indented. A longer word gets its own line. */
function wrap(text: string, indent: number): string[] {
  const lines: string[] = []
  let rest = text
  while (rest.length > helpColumns) {
    const blank = rest.lastIndexOf(' ', helpColumns)
    const at = blank > indent ? blank : rest.indexOf(' ', helpColumns)
    if (at < 0) break
    lines.push(rest.slice(0, at).trimEnd())
    rest = `${' '.repeat(indent)}${rest.slice(at + 1)}`
  }
  return [...lines, rest]
}

export function helpOf(command: Command): Words {
  const options = Object.entries({ ...command.options, ...everywhere }).map(
    ([name, { value, help }]) => [value === undefined ? `--${name}` : `--${name} ${value}`, help] as const,
  )
  const head = wrap(`assize ${command.name} ${command.usage}`.trimEnd(), 4)
  return [head, '', wrap(command.summary, 0), '', 'Options', inColumns(options, 22)]
}

/** The command was called incorrectly; it has done nothing. */
export class Misuse extends Refusal {
  constructor(message: string) {
    super('misuse', message)
  }
}

/** Exit status: 2 for an incorrect call, 1 for a refusal. */
export function statusOf(refusal: Refusal): 1 | 2 {
  return refusalKinds[refusal.kind].exit
}

/** Reads the words after a command's name; refuses unknown ones. */
export function parseInvocation(command: Command, words: readonly string[], terminal: Terminal): Invocation | 'help' {
  const specs = Object.entries({ ...command.options, ...everywhere })
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({
      args: [...words],
      options: Object.fromEntries(specs.map(([name, { type, multiple = false }]) => [name, { type, multiple }])),
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    throw new Misuse(`${firstSentence(error)}; see assize ${command.name} --help`)
  }
  const options = parsed.values as Invocation['options']
  if (options.help === true) return 'help'
  const { least, most } = command.positionals
  if (parsed.positionals.length < least || parsed.positionals.length > most)
    throw new Misuse(`usage: assize ${command.name} ${command.usage}`)
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

/** Reads one of a few words; those in capitals may be written in small letters. */
export function choiceOption<T extends string>(invocation: Invocation, name: string, choices: readonly T[]): T | null {
  const text = textOption(invocation, name)
  if (text === null) return null
  const found = choices.find(each => each === text || each === text.toUpperCase())
  if (found === undefined) throw new Misuse(`--${name} must be one of ${choices.join(', ')}, got "${text}"`)
  return found
}

/** Values of an option that may be given several times. */
export function textOptions({ options }: Invocation, name: string): readonly string[] {
  const value = options[name]
  return Array.isArray(value) ? value : []
}

/** Result of a command, for programs and in words; or the exit status of a command that has printed its result itself. */
export type Done =
  | number
  | { readonly json: unknown; readonly words: Words }
  | { readonly json: unknown; readonly file: string }

/** Prints the result and returns its exit status. */
export function finish(invocation: Invocation, done: Done): number {
  if (typeof done === 'number') return done
  if (invocation.json) printJson(invocation, done.json)
  else if ('file' in done) invocation.terminal.file(done.file)
  else invocation.terminal.out(done.words)
  return 0
}

export function printJson({ terminal }: Pick<Invocation, 'terminal'>, value: unknown): void {
  terminal.file(`${jsonOf(value)}\n`)
}

function jsonOf(value: unknown): string {
  return visibleJson(JSON.stringify(value, null, 2))
}

const piecesTogether = 64 * 1024

/** Writes many short texts in few writes, no faster than they are read: waiting texts are kept in memory. */
export async function writePieces(terminal: Terminal, pieces: Iterable<string>): Promise<void> {
  let waiting = ''
  for (const piece of pieces) {
    waiting += piece
    if (waiting.length < piecesTogether) continue
    terminal.file(waiting)
    waiting = ''
    await terminal.drained?.()
  }
  if (waiting !== '') terminal.file(waiting)
}

/** `{"data": […], …rest}` as printJson writes it, row by row: the whole may be many megabytes. */
export function printJsonList({ terminal }: Invocation, data: Iterable<unknown>, rest: () => object): Promise<void> {
  return writePieces(terminal, listPieces(data, rest))
}

function* listPieces(data: Iterable<unknown>, rest: () => object): Generator<string> {
  const indented = (value: unknown, by: string) => jsonOf(value).replaceAll('\n', `\n${by}`)
  let isFirst = true
  for (const row of data) {
    yield `${isFirst ? '{\n  "data": [' : ','}\n    ${indented(row, '    ')}`
    isFirst = false
  }
  yield isFirst ? '{\n  "data": []' : '\n  ]'
  for (const [name, value] of Object.entries(rest())) yield `,\n  ${JSON.stringify(name)}: ${indented(value, '  ')}`
  yield '\n}\n'
}
