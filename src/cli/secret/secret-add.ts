// `secret add`: another secret beside the present ones. It is used once `secret rotate` makes it the current one.

import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { idOfSecret } from '../../storage/keys/key-ring.ts'
import { makeSecret, writeSecrets } from '../../storage/keys/secret-file.ts'
import type { Command } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { noteCommand } from '../frame/operator.ts'

export const secretAddCommand: Command = {
  name: 'secret add',
  usage: '',
  summary:
    'Makes another secret of the server: in the file of an embedded installation, else printed, to be added to ASSIZE_SECRET of every process.',
  options: {},
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async ({ sql, ring }, { secrets, dataFolder }) => {
      if (ring.secrets.length >= limits.secretsListed)
        throw new Refusal(
          'conflict',
          `${limits.secretsListed} secrets are listed already; remove one that nothing depends on`,
        )
      const secret = makeSecret()
      const id = idOfSecret(secret)
      if (secrets === null) {
        await writeSecrets(dataFolder, [...ring.secrets, secret])
        await noteCommand(sql, invocation, 'secret.add', 'a secret of the server was added', id)
        return {
          json: { id, secret: null },
          words: [
            `the secret ${id} was added; running processes read it within seconds`,
            'assize secret rotate makes it the current one',
          ],
        }
      }
      return {
        json: { id, secret },
        words: [
          secret,
          '',
          `Add it, behind a space, at the end of ASSIZE_SECRET of every process, and restart them one after the other. It is not shown again.`,
          `Then assize secret rotate makes ${id} the current one.`,
        ],
      }
    }),
}
