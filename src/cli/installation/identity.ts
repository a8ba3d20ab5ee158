// `installation`: prints the id, name and key under which this installation issues receipts; --name sets the name, once.
import { Seal } from '../../agreements/seal.ts'
import { loadInstallation, nameInstallation } from '../../storage/people/issuer-names.ts'
import { type Command, textOption } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'

export const installationCommand: Command = {
  name: 'installation',
  usage: '[--name N]',
  summary: 'Prints the id, name and key under which receipts are issued. The name can be set once.',
  options: {
    name: { type: 'string', value: 'N', help: 'the name of the installation in future receipts; it cannot be changed' },
  },
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async ({ owner, ring }) => {
      const given = textOption(invocation, 'name')
      const { id, name } = given === null ? await loadInstallation(owner) : await nameInstallation(owner, given)
      const key = `ed25519:${new Seal(ring).publicKey}`
      return { json: { id, name, key }, words: [`${id}${name === null ? '' : ` (${name})`}`, key] }
    }),
}
