// `correction note`: writes the document by which an agreed correction is billed, and remembers its number.
import { readFile, writeFile } from 'node:fs/promises'
import { type IssuedDocument, noteCorrection } from '../../agreements/correction-note.ts'
import { Seal } from '../../agreements/seal.ts'
import { Refusal } from '../../core/refusal.ts'
import { readBillingProfile, whyNoProfile } from '../../formats/notes/billing-profile.ts'
import { writeNoteCsv } from '../../formats/notes/note-csv.ts'
import { writeNoteUbl } from '../../formats/notes/note-ubl.ts'
import { type Command, type Invocation, textOption, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { neededOption } from '../frame/statement-options.ts'
import { dayOption } from '../prices/price-files.ts'

export const correctionNoteCommand: Command = {
  name: 'correction note',
  usage: '<id> --workspace W --number N --date D [--ubl --profile billing.yaml] [--out FILE]',
  summary:
    'Writes the document by which an agreed correction, or the next part of it, is billed, and keeps its number, day and hash. The same number again writes the same document.',
  options: {
    workspace: workspaceSpec,
    number: { type: 'string', value: 'N', help: 'the number of the document' },
    date: { type: 'string', value: 'D', help: 'its day, such as 2024-09-01' },
    ubl: { type: 'boolean', help: 'as UBL 2.1: a credit note, or an invoice if money is due; default: CSV' },
    profile: { type: 'string', value: 'FILE', help: 'parties and tax for --ubl; default: billing.yaml in this folder' },
    out: { type: 'string', value: 'FILE', help: 'writes to this file; default: standard output' },
  },
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      neededOption(invocation, 'date')
      const profile = invocation.options.ubl === true ? await readProfile(invocation) : null
      const issued = await noteCorrection(installation.sql, new Seal(installation.secret), {
        workspaceId: workspace.id,
        id: invocation.positionals[0]!,
        number: neededOption(invocation, 'number'),
        date: dayOption(invocation, 'date')!,
        write: facts => (profile === null ? writeNoteCsv(facts) : writeNoteUbl(facts, profile)),
        by: { who: 'operator', fromAddress: null },
      })
      await writeOut(invocation, issued)
      return 0
    }),
}

async function readProfile(invocation: Invocation) {
  const file = textOption(invocation, 'profile') ?? 'billing.yaml'
  const source = await readFile(file, 'utf8').catch(error => {
    throw error.code === 'ENOENT' ? new Refusal('invalid', whyNoProfile) : error
  })
  return readBillingProfile(source)
}

async function writeOut(invocation: Invocation, { text, ...facts }: IssuedDocument): Promise<void> {
  const file = textOption(invocation, 'out')
  if (file !== null) await writeFile(file, text)
  if (invocation.json) writeJson(invocation, file === null ? { ...facts, text } : { ...facts, file })
  else if (file === null) invocation.terminal.out(text)
  else invocation.terminal.out(`${file}: ${facts.amount} ${facts.currency}, part ${facts.part} of ${facts.parts}\n`)
}
