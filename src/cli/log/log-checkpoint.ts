// `log checkpoint`: lets the public log grow now and prints its newest checkpoint with its cosignatures.
import { Refusal } from '../../core/refusal.ts'
import { loadCosigned } from '../../storage/proof/checkpoints.ts'
import type { Command } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { logOf } from '../frame/public-log.ts'

export const logCheckpointCommand: Command = {
  name: 'log checkpoint',
  usage: '',
  summary: 'Adds new entries to the public log, signs a checkpoint over it and prints it; keep it on another machine.',
  options: {},
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async (installation, config) => {
      const { checkpoint, stopped } = await logOf(installation, config, invocation).advance(null)
      if (checkpoint === null) throw new Refusal('conflict', stopped)
      const note = await loadCosigned(installation.sql, checkpoint)
      const { origin, size, madeAt } = checkpoint
      return { json: { origin, leaves: size, madeAt, note }, file: note }
    }),
}
