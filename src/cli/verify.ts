import type { Command } from './command.ts'

export const verifyCommand: Command = {
  name: 'verify',
  usage: '<receipt.json>',
  summary: 'Recomputes a receipt.',
  options: {},
  positionals: { least: 1, most: 1 },
  async run() {
    return 1
  },
}
