// The list of all commands, and how one is found by its words.
import type { Command } from './command.ts'
import { evaluateCommand } from './evaluate.ts'
import { pamCheckCommand } from './pam-check.ts'
import { pamShowCommand } from './pam-show.ts'
import { verifyCommand } from './verify.ts'

export const commands: readonly Command[] = [evaluateCommand, pamCheckCommand, pamShowCommand, verifyCommand]

/** The command whose name is the longest beginning of the words. */
export function findCommand(words: readonly string[]): { command: Command; rest: readonly string[] } | null {
  for (const count of [2, 1]) {
    const command = commands.find(candidate => candidate.name === words.slice(0, count).join(' '))
    if (command !== undefined) return { command, rest: words.slice(count) }
  }
  return null
}

export function overview(): string {
  const width = Math.max(...commands.map(({ name, usage }) => name.length + usage.length)) + 3
  const lines = commands.map(
    ({ name, usage, summary }) => `  ${`${name} ${usage}`.padEnd(width)}${summary.split('. ')[0]}`,
  )
  return `Assize: index-linked prices both sides can trust\n\n${lines.join('\n')}\n\nassize <command> --help says more.\n`
}
