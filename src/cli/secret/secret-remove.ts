// `secret remove`: everything made under a secret no longer counts. The command first names what would end with it.
import { Refusal } from '../../core/refusal.ts'
import { idOfSecret, type KeyRing } from '../../storage/keys/key-ring.ts'
import { writeSecrets } from '../../storage/keys/secret-file.ts'
import { removeSecret } from '../../storage/rotation/rotation.ts'
import type { Command } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { hangingWords, type ListedSecret, listSecrets } from './secret-list.ts'

export const secretRemoveCommand: Command = {
  name: 'secret remove',
  usage: '<id> [--yes]',
  summary:
    'Ends a secret that is not the current one, with everything that still depends on it: lists it first, and ends it with --yes.',
  options: {
    yes: { type: 'boolean', help: 'ends everything that was listed' },
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async ({ owner, ring }, { secrets, dataFolder }) => {
      const id = invocation.positionals[0]!
      const found = (await listSecrets(owner, ring)).find(each => each.id === id)
      if (found === undefined) throw new Refusal('not-found', `there is no secret "${id}"`)
      refuseNeeded(found)
      const { hanging } = found
      const ends = hangingWords(hanging)
      const isDone = invocation.options.yes === true
      if (isDone) {
        if (found.state === 'ended') await removeSecret({ owner, ring, who: actorOf(invocation) }, id)
        if (secrets === null) await writeSecrets(dataFolder, without(ring, id))
      }
      const first = isDone ? `the secret ${id} is no longer valid` : `with the secret ${id} would end:`
      const rest =
        isDone && secrets !== null ? ['take it out of ASSIZE_SECRET of every process at their next restart'] : []
      return {
        json: { id, isRemoved: isDone, hanging },
        words: [
          first,
          ...(ends.length === 0 ? ['  nothing'] : ends.map(line => `  ${line}`)),
          ...rest,
          ...(isDone ? [] : [`assize secret remove ${id} --yes does it`]),
        ],
      }
    }),
}

function refuseNeeded({ id, state, hanging }: ListedSecret): void {
  if (state === 'current') throw new Refusal('conflict', `${id} is the current secret: rotate first`)
  if (state === 'rotating' || hanging.sealed > 0)
    throw new Refusal('conflict', `what ${id} sealed is not all sealed again: run assize secret rotate first`)
  if (state === 'removed') throw new Refusal('conflict', `${id} is removed already`)
}

function without(ring: KeyRing, id: string): readonly string[] {
  return ring.secrets.filter(secret => idOfSecret(secret) !== id)
}
