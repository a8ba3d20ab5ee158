// Notes of a correction: issued ones in every form, the facts that the next one lacks, and the dialog that issues it.

import { Button, Group, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { longestDetail } from '../../../../src/core/billing/party-fields.ts'
import { formatDate } from '../../../../src/core/text/words.ts'
import { type NoteForm, noteForms } from '../../../../src/formats/notes/note-forms.ts'
import type { NoteLackView } from '../../../../src/views/shapes/billing.ts'
import type { CorrectionPage } from '../../../../src/views/shapes/true-up.ts'
import { api } from '../../../api.ts'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { State } from '../../../components/figures/figures.tsx'
import { DayInput } from '../../../components/inputs/day-input.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { Trouble } from '../../../components/page/page.tsx'
import { saveFile } from '../../../components/table/save-file.ts'
import { useNoteFile } from '../../../components/true-up/use-note-file.ts'
import { formatAmount } from '../../../components/true-up/words.ts'
import { countOf } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

interface NotesProps {
  readonly page: CorrectionPage
}

const formNames: Readonly<Record<NoteForm, string>> = { csv: 'Table', ubl: 'UBL', cii: 'CII', print: 'Page to print' }

export function Notes({ page: { correction, noteLacks, wholeNotes } }: NotesProps) {
  const { notes, parts, settle } = correction
  if (noteLacks === null) return null
  return (
    <>
      {notes.length === 0 && (
        <p>
          {settle === 'NEXT_INVOICE'
            ? 'It goes on the next invoice.'
            : parts.length > 1
              ? `It is billed in ${parts.length} parts.`
              : 'It is billed with a separate note.'}
        </p>
      )}
      {notes.map(note => (
        <IssuedNote
          key={note.part}
          correction={correction}
          note={note}
          isWhole={noteLacks.length === 0 || wholeNotes.includes(note.part)}
        />
      ))}
      {notes.some(({ part }) => !wholeNotes.includes(part)) && <Lacks lacks={noteLacks} />}
    </>
  )
}

interface IssuedNoteProps {
  readonly correction: CorrectionPage['correction']
  readonly note: CorrectionPage['correction']['notes'][number]
  readonly isWhole: boolean
}

function IssuedNote({ correction: { id, currency, parts }, note, isWhole }: IssuedNoteProps) {
  const { slug: ws } = useWorkspace()
  const { part, number, date, amount } = note
  const { save, error, isPending } = useNoteFile(id, `${part}`)
  const forms = isWhole ? (['ubl', 'cii', 'csv'] as const) : (['csv'] as const)
  return (
    <div>
      <p>
        Note {number} of {formatDate(date)}
        {amount !== null && `: ${formatAmount(amount, currency)}`}
        {parts.length > 1 && `, part ${part} of ${parts.length}`}
      </p>
      <Group gap={4} className="no-print">
        {forms.map(form => (
          <Button
            key={form}
            variant="subtle"
            size="compact-sm"
            loading={isPending}
            aria-label={`Save note ${number} as ${formNames[form]}`}
            onClick={() => void save(form)}
          >
            {formNames[form]}
          </Button>
        ))}
        {isWhole && (
          <TextLink to="/w/$ws/corrections/$id/notes/$part" params={{ ws, id, part: `${part}` }}>
            Print
          </TextLink>
        )}
      </Group>
      {error !== null && <Trouble error={error} />}
    </div>
  )
}

/** Facts that electronic and printed notes lack, with the rules that ask for them and the place to fill them in. */
function Lacks({ lacks }: { readonly lacks: readonly NoteLackView[] }) {
  const { slug: ws, role } = useWorkspace()
  if (lacks.length === 0) return null
  const part = role === 'supplier' ? 'company' : 'parties'
  const sideOf = (field: string) => (field.startsWith('buyer.') ? 'buyer' : 'supplier')
  return (
    <div>
      <State kind="waiting">An electronic note lacks {countOf(lacks.length, 'detail')}</State>
      <ul>
        {lacks.map(({ field, label, needs, rules, party }) => (
          <li key={field}>
            {label}
            {party !== null && ` of the ${sideOf(field)}`}: {needs} <span className="soft">({rules.join(', ')})</span>
          </li>
        ))}
      </ul>
      <p>
        {lacks.some(({ party }) => party !== null) ? (
          <TextLink to="/w/$ws/settings/$part" params={{ ws, part }}>
            {part === 'company' ? 'Fill in yours under Your company' : 'Fill them in under Parties'}
          </TextLink>
        ) : (
          <span className="soft">
            The agreement names people instead of companies: use the command, with a file of the details.
          </span>
        )}
      </p>
    </div>
  )
}

interface NoteDialogProps extends NotesProps {
  readonly issued: () => Promise<void>
  readonly close: () => void
}

export function NoteDialog({ page, issued, close }: NoteDialogProps) {
  const { path } = useWorkspace()
  const { id } = page.correction
  const lacks = page.noteLacks ?? []
  const isWhole = lacks.length === 0
  const [number, setNumber] = useState('')
  const [date, setDate] = useState(new Date().toISOString().slice(0, 10))
  const [form, setForm] = useState<NoteForm>(isWhole ? 'ubl' : 'csv')
  const [order, setOrder] = useState('')
  const issue = async () => {
    const asked = form === 'csv' ? {} : { order }
    const note = await api.post(path('/corrections/:id/note', { id }), { number, date, form, ...asked })
    saveFile(note.fileName, note.type, [note.text])
    await issued()
  }
  return (
    <FormDialog title="Issue a note" action="Issue the note" run={issue} close={close}>
      <p>Records the number and date of the document that bills the amount, and saves it as a file.</p>
      <Lacks lacks={lacks} />
      <TextInput
        label="Number of the document"
        required
        data-autofocus
        value={number}
        onChange={event => setNumber(event.currentTarget.value)}
      />
      <DayInput label="Date" isInForm value={date} onDay={setDate} />
      <Select
        label="Form"
        description={isWhole ? 'The other forms can be saved afterwards' : 'The other forms need the details above'}
        allowDeselect={false}
        data={noteForms.map(value => ({ value, label: formNames[value], disabled: !isWhole && value !== 'csv' }))}
        value={form}
        onChange={value => setForm(value as NoteForm)}
      />
      {form !== 'csv' && (
        <TextInput
          label="Purchase order"
          description="For this note; if empty, the order of the buyer’s billing details"
          maxLength={longestDetail}
          value={order}
          onChange={event => setOrder(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}
