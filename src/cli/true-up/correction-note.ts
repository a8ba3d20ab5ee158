// `correction note`: writes the document by which an agreed correction is billed, and remembers its number.
import { readFile, writeFile } from 'node:fs/promises'
import { noteCorrection } from '../../agreements/correction-note.ts'
import { Seal } from '../../agreements/seal.ts'
import { languages } from '../../core/billing/languages.ts'
import { type BillingSaid, nothingSaid } from '../../core/billing/note-details.ts'
import { Refusal } from '../../core/refusal.ts'
import { readBillingFile } from '../../formats/notes/billing-file.ts'
import { formatNote } from '../../formats/notes/note-file.ts'
import type { NoteForm } from '../../formats/notes/note-forms.ts'
import { choiceOption, type Invocation, Misuse, textOption } from '../frame/command.ts'
import { neededOption } from '../frame/statement-options.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { dayOption } from '../prices/price-files.ts'

export const correctionNoteCommand = workspaceCommand({
  name: 'correction note',
  usage:
    '<id> --workspace W --number N --date D [--ubl | --cii | --print] [--profile billing.yaml] [--language en|de|fr] [--out FILE]',
  summary:
    'Writes the document by which an agreed correction, or the next part of it, is billed, and keeps its number, day and hash. The same number again writes the same document.',
  options: {
    number: { type: 'string', value: 'N', help: 'the number of the document' },
    date: { type: 'string', value: 'D', help: 'its day, such as 2024-09-01' },
    ubl: { type: 'boolean', help: 'as UBL 2.1: a credit note, or an invoice if money is due; default: CSV' },
    cii: { type: 'boolean', help: 'as a Cross Industry Invoice, for ZUGFeRD and Factur-X' },
    print: { type: 'boolean', help: 'as a page to print' },
    profile: {
      type: 'string',
      value: 'FILE',
      help: 'the details for this note alone; default: billing.yaml in this folder if it exists, and the billing details of the parties',
    },
    reference: { type: 'string', value: 'R', help: 'the reference of the buyer, for this note alone' },
    order: { type: 'string', value: 'R', help: 'the purchase order, for this note alone' },
    language: { type: 'string', value: 'L', help: `${languages.join(', ')}; default: that of the buyer` },
    out: { type: 'string', value: 'FILE', help: 'writes to this file; default: standard output' },
  },
  positionals: 1,
  async work({ invocation, installation, sql, workspace }) {
    neededOption(invocation, 'date')
    const form = formOption(invocation)
    const language = choiceOption(invocation, 'language', languages)
    const { text, ...facts } = await noteCorrection(sql, new Seal(installation.ring), {
      workspaceId: workspace.id,
      id: invocation.positionals[0]!,
      number: neededOption(invocation, 'number'),
      date: dayOption(invocation, 'date')!,
      said: form === 'csv' ? null : await readSaid(invocation),
      namesParties: form !== 'csv',
      write: note => formatNote(note, form, language),
      by: { who: 'operator', fromAddress: null },
    })
    const file = textOption(invocation, 'out')
    if (file === null) return { json: { ...facts, text }, file: text }
    await writeFile(file, text)
    const words = `${file}: ${facts.amount} ${facts.currency}, part ${facts.part} of ${facts.parts}\n`
    return { json: { ...facts, file }, words }
  },
})

function formOption({ options }: Invocation): NoteForm {
  const [form = 'csv', other] = (['ubl', 'cii', 'print'] as const).filter(each => options[each] === true)
  if (other !== undefined) throw new Misuse(`--${form} and --${other} are two documents: call it once for each`)
  return form
}

/** Details for this note alone; null if none were given. */
async function readSaid(invocation: Invocation): Promise<BillingSaid | null> {
  const named = textOption(invocation, 'profile')
  const source = await readFile(named ?? 'billing.yaml', 'utf8').catch(error => {
    if (error.code !== 'ENOENT') throw error
    if (named !== null) throw new Refusal('not-found', `there is no file ${named}`)
    return null
  })
  const [reference, order] = [textOption(invocation, 'reference'), textOption(invocation, 'order')]
  if (source === null && reference === null && order === null) return null
  const said = source === null ? nothingSaid : readBillingFile(source)
  const more = { ...(reference === null ? {} : { reference }), ...(order === null ? {} : { order }) }
  return { ...said, buyer: { ...said.buyer, ...more } }
}
