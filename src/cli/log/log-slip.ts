// `log slip`: prints the slips of signatures, or of any entry, as they were or could have been answered.
import { Refusal } from '../../core/refusal.ts'
import { makeAnnouncementProofs } from '../../storage/proof/announcements.ts'
import { findRedactionEntries, findSignatureEntries } from '../../storage/proof/slip-entries.ts'
import { makeSlips } from '../../storage/proof/slips.ts'
import { Misuse, textOption } from '../frame/command.ts'
import { writeNewFile } from '../frame/files.ts'
import { logOf } from '../frame/public-log.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const logSlipCommand = workspaceCommand({
  name: 'log slip',
  usage: '<agreement|correction|change> --workspace W [--period P] [--out F] | --entry N --workspace W',
  summary:
    'Prints the slips of the signatures of a period, a correction or a change of terms, or of one entry: files of C2SP tlog-proof, which assize verify checks offline.',
  options: {
    period: { type: 'string', value: 'P', help: 'of an agreement: the period that was signed' },
    entry: { type: 'string', value: 'N', help: 'the number of an entry of the workspace' },
    out: { type: 'string', value: 'F', help: 'writes them to a new file' },
  },
  positionals: [0, 1],
  async work({ invocation, installation, config, sql, workspace }) {
    const entry = textOption(invocation, 'entry')
    const named = invocation.positionals[0] ?? null
    if ((entry === null) === (named === null)) throw new Misuse('name what was signed, or --entry')
    if (entry !== null && !/^[1-9]\d{0,14}$/.test(entry)) throw new Misuse(`--entry must be a number, got "${entry}"`)
    const period = textOption(invocation, 'period')
    const seqs =
      entry !== null ? [Number(entry)] : await findSignatureEntries(sql, workspace.id, { subject: named!, period })
    if (seqs.length === 0)
      throw new Refusal('not-found', `nothing of ${named} was signed${period === null ? '' : ` for ${period}`}`)
    const log = logOf(installation, config, invocation)
    const { stopped } = await log.advance(workspace.id)
    const erased = await findRedactionEntries(sql, workspace.id, seqs)
    const wanted = [...seqs, ...erased].map(seq => ({ seq, hasContent: true }))
    const slips = await makeSlips(sql, log.keys, workspace.id, wanted).catch(error => {
      throw stopped === null ? error : new Refusal('conflict', stopped)
    })
    const file = textOption(invocation, 'out')
    const text = [...slips, ...(await makeAnnouncementProofs(sql, workspace.id))].join('')
    if (file !== null) await writeNewFile(file, text)
    return file === null ? { json: { slips }, file: text } : { json: { slips }, words: `${slips.length} in ${file}` }
  },
})
