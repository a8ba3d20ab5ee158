// `person erase`: replaces the name and address of somebody who has left everywhere they are stored. The erasure cannot be
// undone.
import { erasePerson } from '../../storage/upkeep/erasure.ts'
import { type Command, Misuse, printJson, textOption } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'

export const personEraseCommand: Command = {
  name: 'person erase',
  usage: '<email> --reason R [--dry-run]',
  summary: 'Erases a person who has left: erased-<n> takes the place of name and address. It cannot be undone.',
  options: {
    reason: { type: 'string', value: 'R', help: 'why; it stays in the log and must not name the person' },
    'dry-run': { type: 'boolean', help: 'says what would be replaced, and changes nothing' },
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const reason = textOption(invocation, 'reason')
    if (reason === null) throw new Misuse('--reason is missing: say why; it stays in the log')
    const isTrial = invocation.options['dry-run'] === true
    const request = { email: invocation.positionals[0]!, reason, by: actorOf(invocation), isTrial }
    return withInstallation(invocation, async ({ owner }) => {
      const { instead, rows, entries, accessEntries, kept } = await erasePerson(owner, request)
      if (invocation.json) {
        printJson(invocation, { instead, isTrial, rows, entries, accessEntries, kept })
        return 0
      }
      const changed = Object.values(rows).reduce((sum, each) => sum + each, 0)
      const stays = Object.entries(kept).map(([place, many]) => `  ${place}: ${many}\n`)
      invocation.terminal.out([
        `${request.email} ${isTrial ? 'would become' : 'is now'} ${instead}: ${changed} rows, ${entries} entries of the log and ${accessEntries} of the access log`,
        ...(stays.length === 0 ? [] : ['What was signed stays as it was signed, and names the person in', ...stays]),
        ...(isTrial
          ? ['Nothing was changed.']
          : ['Older backups still have the name, and so have receipts that other people hold.']),
      ])
      return 0
    })
  },
}
