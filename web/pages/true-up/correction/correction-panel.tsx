// What can be done with a correction: sign it, refuse it with a reason, waive the money, or bill it; and its state.

import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Party } from '../../../../src/views/shapes/agreements.ts'
import type { CorrectionPage } from '../../../../src/views/shapes/true-up.ts'
import { api } from '../../../api.ts'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { DayInput } from '../../../components/inputs/day-input.tsx'
import { ProposalPanel, RefuseDialog } from '../../../components/signing/proposal-panel.tsx'
import { SignedFacts, SigningDialog } from '../../../components/signing/signing-dialog.tsx'
import { useSigning } from '../../../components/signing/use-signing.ts'
import { saveFile } from '../../../components/table/save-file.ts'
import { correctionQuery } from '../../../components/true-up/queries.ts'
import { stateWords, writeAmount, writeBalance } from '../../../components/true-up/words.ts'
import { writeDay, writeHash } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

interface PanelProps {
  readonly page: CorrectionPage
}

type Asked = 'sign' | 'refuse' | 'waive' | 'note' | null

export function CorrectionPanel({ page }: PanelProps) {
  const [asked, setAsked] = useState<Asked>(null)
  const { correction, signing, signatures } = page
  const { path, show } = useAfter(page)
  const close = () => setAsked(null)
  return (
    <ProposalPanel
      state={stateWords[correction.state]}
      refusal={correction.refusal}
      signatures={signatures}
      signing={signing}
      ask={setAsked}
      more={<Notes page={page} />}
      actions={
        <>
          {signing.mayWaive && (
            <Button variant="subtle" onClick={() => setAsked('waive')} fullWidth>
              Waive the amount
            </Button>
          )}
          {signing.mayNote && (
            <Button onClick={() => setAsked('note')} fullWidth>
              Issue a note
            </Button>
          )}
        </>
      }
    >
      {asked === 'sign' && signing.as !== null && <SignDialog page={page} party={signing.as} close={close} />}
      {asked === 'refuse' && (
        <RefuseDialog
          what="the correction"
          words="The prices stay as they are settled; the same can be proposed again."
          refuse={async reason => {
            const { id, hash } = correction
            await show(await api.post(path('/corrections/:id/refuse', { id }), { hash, reason }))
          }}
          close={close}
        />
      )}
      {asked === 'waive' && <WaiveDialog page={page} close={close} />}
      {asked === 'note' && <NoteDialog page={page} close={close} />}
    </ProposalPanel>
  )
}

function Notes({ page: { correction } }: PanelProps) {
  const { notes, parts, state, waived, currency, settle } = correction
  if (state !== 'AGREED' || waived || parts.length === 0) return null
  if (notes.length === 0)
    return (
      <p>
        {settle === 'NEXT_INVOICE'
          ? 'It goes on the next invoice.'
          : parts.length > 1
            ? `It is billed in ${parts.length} parts.`
            : 'It is billed with a separate note.'}
      </p>
    )
  return (
    <>
      {notes.map(({ part, number, date, amount }) => (
        <p key={part}>
          Note {number} of {writeDay(date)}
          {amount !== null && `: ${writeAmount(amount, currency)}`}
          {parts.length > 1 && `, part ${part} of ${parts.length}`}
        </p>
      ))}
    </>
  )
}

interface DialogProps extends PanelProps {
  readonly close: () => void
}

function useAfter({ correction }: CorrectionPage) {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  return {
    path: workspace.path,
    ws: workspace.slug,
    show(after: CorrectionPage | null) {
      if (after !== null) queries.setQueryData(correctionQuery(workspace, correction.id).queryKey, after)
      return queries.invalidateQueries({ queryKey: ['w', workspace.slug] })
    },
  }
}

function SignDialog({ page, party, close }: DialogProps & { readonly party: Party }) {
  const { path, show } = useAfter(page)
  const { correction, formula, signatures } = page
  const { id, hash, net, currency, waived, periods } = correction
  const signing = useSigning({
    send: proof => api.post(path('/corrections/:id/sign', { id }), { party, hash, ...proof }),
    asked: { corrections: [{ id, party, hash }] },
    done: after => {
      close()
      void show(after)
    },
  })
  return (
    <SigningDialog
      title={`Sign the ${waived ? 'waiver' : 'correction'} as ${party}`}
      words={`Sign as ${party}`}
      hash={hash}
      signing={signing}
      signWith={page.signing.signWith}
      close={close}
    >
      <SignedFacts
        facts={[
          { label: 'Agreement', value: formula.name },
          {
            label: waived ? 'Waived' : 'Amount',
            value: net === null ? 'none known' : writeAmount(net, currency),
            isNumber: true,
          },
          { label: 'Periods', value: periods.map(({ period }) => period).join(', ') },
          { label: 'Hash', value: <span className="mono">{writeHash(hash)}</span> },
        ]}
        party={party}
        signatures={signatures}
      />
      <p className="soft">
        Once both sides have signed, these prices are settled. The signed numbers stay on record as they were signed. A
        signature cannot be withdrawn.
      </p>
    </SigningDialog>
  )
}

function WaiveDialog({ page, close }: DialogProps) {
  const { path, show, ws } = useAfter(page)
  const navigate = useNavigate()
  const { id, net, currency } = page.correction
  const waive = async () => {
    const { id: waiver } = await api.post(path('/corrections/:id/waive', { id }), {})
    await show(null)
    await navigate({ to: '/w/$ws/corrections/$id', params: { ws, id: waiver } })
  }
  return (
    <FormDialog title="Waive the amount" action="Propose the waiver" run={waive} close={close}>
      <p>
        A waiver takes the place of this proposal. Once both sides have signed it, the prices are corrected and{' '}
        {net === null || currency === null ? 'the amount' : writeBalance(net, currency)} is neither billed nor paid.
      </p>
    </FormDialog>
  )
}

function NoteDialog({ page, close }: DialogProps) {
  const { path, show } = useAfter(page)
  const { id } = page.correction
  const [number, setNumber] = useState('')
  const [date, setDate] = useState(new Date().toISOString().slice(0, 10))
  const issue = async () => {
    const note = await api.post(path('/corrections/:id/note', { id }), { number, date })
    saveFile(note.fileName, 'text/csv', [note.text])
    await show(null)
  }
  return (
    <FormDialog title="Issue a note" action="Issue the note" run={issue} close={close}>
      <p>Records the number and date of the document that bills the amount, and saves its lines as CSV.</p>
      <TextInput
        label="Number of the document"
        required
        data-autofocus
        value={number}
        onChange={event => setNumber(event.currentTarget.value)}
      />
      <DayInput label="Date" isInForm value={date} onDay={setDate} />
    </FormDialog>
  )
}
