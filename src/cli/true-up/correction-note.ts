// `correction note`: writes the document by which an agreed correction is billed, and remembers its number.
import { readFile, writeFile } from 'node:fs/promises'
import { noteCorrection } from '../../agreements/correction-note.ts'
import { Seal } from '../../agreements/seal.ts'
import { Refusal } from '../../core/refusal.ts'
import { readBillingProfile, whyNoProfile } from '../../formats/notes/billing-profile.ts'
import { writeNoteCsv } from '../../formats/notes/note-csv.ts'
import { writeNoteUbl } from '../../formats/notes/note-ubl.ts'
import { type Invocation, textOption } from '../frame/command.ts'
import { neededOption } from '../frame/statement-options.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { dayOption } from '../prices/price-files.ts'

export const correctionNoteCommand = workspaceCommand({
  name: 'correction note',
  usage: '<id> --workspace W --number N --date D [--ubl --profile billing.yaml] [--out FILE]',
  summary:
    'Writes the document by which an agreed correction, or the next part of it, is billed, and keeps its number, day and hash. The same number again writes the same document.',
  options: {
    number: { type: 'string', value: 'N', help: 'the number of the document' },
    date: { type: 'string', value: 'D', help: 'its day, such as 2024-09-01' },
    ubl: { type: 'boolean', help: 'as UBL 2.1: a credit note, or an invoice if money is due; default: CSV' },
    profile: { type: 'string', value: 'FILE', help: 'parties and tax for --ubl; default: billing.yaml in this folder' },
    out: { type: 'string', value: 'FILE', help: 'writes to this file; default: standard output' },
  },
  positionals: 1,
  async work({ invocation, installation, sql, workspace }) {
    neededOption(invocation, 'date')
    const profile = invocation.options.ubl === true ? await readProfile(invocation) : null
    const { text, ...facts } = await noteCorrection(sql, new Seal(installation.secret), {
      workspaceId: workspace.id,
      id: invocation.positionals[0]!,
      number: neededOption(invocation, 'number'),
      date: dayOption(invocation, 'date')!,
      write: facts => (profile === null ? writeNoteCsv(facts) : writeNoteUbl(facts, profile)),
      by: { who: 'operator', fromAddress: null },
    })
    const file = textOption(invocation, 'out')
    if (file === null) return { json: { ...facts, text }, words: text }
    await writeFile(file, text)
    const words = `${file}: ${facts.amount} ${facts.currency}, part ${facts.part} of ${facts.parts}\n`
    return { json: { ...facts, file }, words }
  },
})

async function readProfile(invocation: Invocation) {
  const file = textOption(invocation, 'profile') ?? 'billing.yaml'
  const source = await readFile(file, 'utf8').catch(error => {
    throw error.code === 'ENOENT' ? new Refusal('invalid', whyNoProfile) : error
  })
  return readBillingProfile(source)
}
