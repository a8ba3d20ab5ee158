// Actions on a change of terms: sign it, refuse it with a reason, propose another in its place; and its state.

import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { Party } from '../../../../src/views/shapes/agreements.ts'
import type { TermsChangePage } from '../../../../src/views/shapes/index-changes.ts'
import { api } from '../../../api.ts'
import { ProposeSplice } from '../../../components/index-changes/propose-splice.tsx'
import { termsChangeQuery } from '../../../components/index-changes/queries.ts'
import { LinkButton } from '../../../components/page/links.tsx'
import { ProposalPanel, RefuseDialog } from '../../../components/signing/proposal-panel.tsx'
import { SignedFacts, SigningDialog } from '../../../components/signing/signing-dialog.tsx'
import { useSigning } from '../../../components/signing/use-signing.ts'
import { stateWords } from '../../../components/true-up/words.ts'
import { countOf, formatHash } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

interface PanelProps {
  readonly page: TermsChangePage
}

type OpenDialog = 'sign' | 'refuse' | 'counter' | null

export function ChangePanel({ page }: PanelProps) {
  const { slug: ws, canEdit } = useWorkspace()
  const [asked, setAsked] = useState<OpenDialog>(null)
  const { change, signing, signatures, refusal, lines } = page
  const isOpen = change.waitsFor.length > 0
  const oldId = lines?.old.id ?? null
  const { path, show } = useAfter(page)
  const close = () => setAsked(null)
  return (
    <ProposalPanel
      state={stateWords[change.state]}
      refusal={refusal}
      signatures={signatures}
      signing={signing}
      ask={setAsked}
      actions={
        <>
          {signing.mayCounter && change.state !== 'AGREED' && oldId !== null && (
            <Button variant="subtle" onClick={() => setAsked('counter')} fullWidth>
              {isOpen ? 'Propose another in its place' : 'Propose again'}
            </Button>
          )}
          {signing.mayCounter && change.kind === 'AMENDMENT' && isOpen && canEdit && (
            <LinkButton to="/w/$ws/agreements/$slug/edit" params={{ ws, slug: change.slug }}>
              Propose other terms in its place
            </LinkButton>
          )}
        </>
      }
    >
      {asked === 'sign' && signing.as !== null && <SignDialog page={page} party={signing.as} close={close} />}
      {asked === 'refuse' && (
        <RefuseDialog
          what="the change of terms"
          words="The terms stay as they are; another change can be proposed."
          refuse={async reason =>
            show(await api.post(path('/terms-changes/:id/refuse', { id: change.id }), { hash: change.hash, reason }))
          }
          close={close}
        />
      )}
      {asked === 'counter' && oldId !== null && (
        <ProposeSplice seriesId={oldId} agreement={change.slug} close={close} />
      )}
    </ProposalPanel>
  )
}

interface DialogProps extends PanelProps {
  readonly close: () => void
}

function useAfter({ change }: TermsChangePage) {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  return {
    path: workspace.path,
    show(after: TermsChangePage) {
      queries.setQueryData(termsChangeQuery(workspace, change.id).queryKey, after)
      return queries.invalidateQueries({ queryKey: ['w', workspace.slug] })
    },
  }
}

function SignDialog({ page, party, close }: DialogProps & { readonly party: Party }) {
  const { path, show } = useAfter(page)
  const { change, body, signatures } = page
  const { id, hash, name, effectiveFrom } = change
  const signing = useSigning({
    send: proof => api.post(path('/terms-changes/:id/sign', { id }), { party, hash, ...proof }),
    asked: { changes: [{ id, party, hash }] },
    done: after => {
      close()
      void show(after)
    },
  })
  return (
    <SigningDialog
      title={`Sign the change of terms as ${party}`}
      words={`Sign as ${party}`}
      hash={hash}
      signing={signing}
      signWith={page.signing.signWith}
      close={close}
    >
      <SignedFacts
        facts={[
          { label: 'Agreement', value: name },
          ...(body.kind === 'SPLICE'
            ? [
                { label: 'Old series', value: body.old.name },
                { label: 'New series', value: body.new.name },
                {
                  label: 'Coefficient',
                  value: body.coefficient?.written ?? 'a new base is read',
                  isNumber: body.coefficient !== null,
                },
              ]
            : [{ label: 'Why', value: body.reason }]),
          ...(body.kind === 'PRICE_LIST'
            ? [{ label: 'Prices that differ', value: countOf(body.effect.changes.length, 'price') }]
            : []),
          { label: 'From', value: formatDate(effectiveFrom) },
          { label: 'Hash', value: <span className="mono">{formatHash(hash)}</span> },
        ]}
        party={party}
        signatures={signatures}
      />
      <p className="soft">
        Once both sides have signed, this is the next version of{' '}
        {change.kind === 'PRICE_LIST' ? 'the price list' : 'the formula'}. Numbers that both signed before stay as they
        are. A signature cannot be withdrawn.
      </p>
    </SigningDialog>
  )
}
