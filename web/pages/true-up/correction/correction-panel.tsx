// Actions on a correction: sign it, refuse it with a reason, waive the money, or bill it; and its state.

import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Party } from '../../../../src/views/shapes/agreements.ts'
import type { CorrectionPage } from '../../../../src/views/shapes/true-up.ts'
import { api } from '../../../api.ts'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { ProposalPanel, RefuseDialog } from '../../../components/signing/proposal-panel.tsx'
import { SignedFacts, SigningDialog } from '../../../components/signing/signing-dialog.tsx'
import { useSigning } from '../../../components/signing/use-signing.ts'
import { correctionQuery } from '../../../components/true-up/queries.ts'
import { formatAmount, formatBalance, stateWords } from '../../../components/true-up/words.ts'
import { formatHash } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { NoteDialog, Notes } from './notes.tsx'

interface PanelProps {
  readonly page: CorrectionPage
}

type OpenDialog = 'sign' | 'refuse' | 'waive' | 'note' | null

export function CorrectionPanel({ page }: PanelProps) {
  const [asked, setAsked] = useState<OpenDialog>(null)
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
          words="The settled prices stay as they are; the correction can be proposed again."
          refuse={async reason => {
            const { id, hash } = correction
            await show(await api.post(path('/corrections/:id/refuse', { id }), { hash, reason }))
          }}
          close={close}
        />
      )}
      {asked === 'waive' && <WaiveDialog page={page} close={close} />}
      {asked === 'note' && <NoteDialog page={page} issued={() => show(null)} close={close} />}
    </ProposalPanel>
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
  const { correction, agreement, signatures } = page
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
          { label: 'Agreement', value: agreement.name },
          {
            label: waived ? 'Waived' : 'Amount',
            value: net === null ? 'none known' : formatAmount(net, currency),
            isNumber: true,
          },
          { label: 'Periods', value: periods.map(({ period }) => period).join(', ') },
          { label: 'Hash', value: <span className="mono">{formatHash(hash)}</span> },
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
        {net === null || currency === null ? 'the amount' : formatBalance(net, currency)} is neither billed nor paid.
      </p>
    </FormDialog>
  )
}
