// `log show`: name, keys and size of the public log, and whether anything is signed. It changes nothing.
import { loadNewestCheckpoint } from '../../storage/proof/checkpoints.ts'
import { loadLogState, originOf } from '../../storage/proof/log-state.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { type Command, printJson } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { logOf } from '../frame/public-log.ts'

export const logShowCommand: Command = {
  name: 'log show',
  usage: '',
  summary: 'Shows the public log: its origin, the keys that verify it, its size and its newest checkpoint.',
  options: {},
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async (installation, config) => {
      const { terminal } = invocation
      const log = logOf(installation, config, invocation)
      const state = await loadLogState(installation.sql, log.keys.ring)
      const origin = state === null ? log.name : originOf(state)
      const newest = state === null ? null : await loadNewestCheckpoint(installation.sql, origin)
      const isChanged = state?.isSealed === false
      const stopped = isChanged ? 'the state of the log was changed in the database itself' : (state?.stopped ?? null)
      const shown = {
        origin,
        keys: [log.keys.vkeyOf(origin, state?.secretId)],
        leaves: state?.tree.size ?? 0,
        checkpoint: newest === null ? null : { leaves: newest.size, madeAt: newest.madeAt, note: newest.note },
        stopped,
      }
      if (invocation.json) printJson(invocation, shown)
      else {
        const signed = newest === null ? 'none yet' : `over ${newest.size} leaves, ${newest.madeAt}`
        const rows = [['origin', origin], ...shown.keys.map(key => ['key', key]), ['leaves', String(shown.leaves)]]
        terminal.out(alignRows([...rows, ['newest checkpoint', signed]], [], ''))
        if (stopped !== null) terminal.out(`nothing is signed: ${stopped}\n`)
      }
      return stopped === null ? 0 : 1
    }),
}
