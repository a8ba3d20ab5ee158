// The public log for commands: opened with the installation's keys, its problems printed as they come.
import { answerSlips } from '../../agreements/answered-slips.ts'
import { openPublicLog } from '../../agreements/installation-log.ts'
import type { Config } from '../../config.ts'
import type { PublicLog } from '../../storage/proof/public-log.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'
import { type Invocation, textOption, type Words } from './command.ts'
import { refuseExistingFile, writeNewFile } from './files.ts'
import type { WorkspaceContext } from './workspace-command.ts'

export function logOf(installation: Installation, config: Config, { terminal }: Invocation): PublicLog {
  const report = (problem: string) => terminal.err(`assize: ${problem}\n`)
  return openPublicLog(installation, config, report)
}

export const slipOption = {
  slip: { type: 'string', value: 'F', help: 'writes the slips of what was signed to a new file' },
} as const

/**
 * Signs, puts the signatures under a checkpoint of the log, and saves their slips if a file is named. Returns the words to print
 * about them.
 */
export async function signWithSlips<T>(
  { invocation, installation, config, sql, workspace }: WorkspaceContext,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly slips: readonly string[]; readonly words: Words }> {
  const log = logOf(installation, config, invocation)
  const file = textOption(invocation, 'slip')
  if (file !== null) await refuseExistingFile(file)
  const whose = { workspaceId: workspace.id, personId: null }
  const { value, slips } = await answerSlips({ sql, log }, whose, work)
  if (file !== null && slips.slips.length > 0) await writeNewFile(file, slips.slips.join(''))
  const words =
    slips.missing !== null
      ? `without a slip: ${slips.missing}\n`
      : file === null || slips.slips.length === 0
        ? []
        : `${slips.slips.length === 1 ? 'its slip is' : `their ${slips.slips.length} slips are`} in ${file}\n`
  return { value, slips: slips.slips, words }
}
