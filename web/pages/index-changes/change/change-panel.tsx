// What can be done with a change of terms: sign it, refuse it with a reason, propose another in its place; and its state.
import { Button, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Party } from '../../../../src/views/shapes/agreements.ts'
import type { TermsChangePage } from '../../../../src/views/shapes/index-changes.ts'
import { api } from '../../../api.ts'
import { parties, writeSigner } from '../../../components/agreements/sign-state.tsx'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { State } from '../../../components/figures/figures.tsx'
import { ProposeSplice } from '../../../components/index-changes/propose-splice.tsx'
import { termsChangeQuery } from '../../../components/index-changes/queries.ts'
import { IconSign } from '../../../components/page/icons.tsx'
import { LinkButton } from '../../../components/page/links.tsx'
import panel from '../../../components/signing/sign-panel.module.css'
import { SignedFacts, SigningDialog } from '../../../components/signing/signing-dialog.tsx'
import { useSigning } from '../../../components/signing/use-signing.ts'
import trueUp from '../../../components/true-up/true-up.module.css'
import { stateWords } from '../../../components/true-up/words.ts'
import { textBounds } from '../../../components/words/text-bounds.ts'
import { writeDay, writeHash, writeInstant } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

interface PanelProps {
  readonly page: TermsChangePage
}

type Asked = 'sign' | 'refuse' | 'counter' | null

export function ChangePanel({ page }: PanelProps) {
  const { slug: ws, canEdit } = useWorkspace()
  const [asked, setAsked] = useState<Asked>(null)
  const { change, signing, signatures, refusal, lines } = page
  const { kind, words } = stateWords[change.state]
  const isOpen = change.waitsFor.length > 0
  const oldId = lines?.old.id ?? null
  const close = () => setAsked(null)
  return (
    <aside className={`${panel.panel} no-print`} aria-label="Sign-off">
      <h2>
        <State kind={kind}>{signing.as === null ? words : 'Waiting for your signature'}</State>
      </h2>
      {refusal !== null && (
        <p>
          The {refusal.party} refused it on {writeInstant(refusal.at)}: “{refusal.reason}”
        </p>
      )}
      <dl className={panel.sides}>
        {parties.map(party => {
          const signature = signatures[party]
          return (
            <div key={party}>
              <dt>{party}</dt>
              <dd>
                {signature === null ? 'not signed' : `${writeSigner(signature)}, ${writeInstant(signature.signedAt)}`}
              </dd>
            </div>
          )
        })}
      </dl>
      {signing.whyNot !== null && <p className="soft">{signing.whyNot}</p>}
      <div className={trueUp.panelActions}>
        {signing.as !== null && (
          <>
            <Button leftSection={<IconSign />} onClick={() => setAsked('sign')} fullWidth>
              Sign as {signing.as}
            </Button>
            <Button variant="default" onClick={() => setAsked('refuse')} fullWidth>
              Refuse
            </Button>
          </>
        )}
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
      </div>
      {asked === 'sign' && signing.as !== null && <SignDialog page={page} party={signing.as} close={close} />}
      {asked === 'refuse' && <RefuseDialog page={page} close={close} />}
      {asked === 'counter' && oldId !== null && (
        <ProposeSplice seriesId={oldId} agreement={change.slug} close={close} />
      )}
    </aside>
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
          { label: 'From', value: writeDay(effectiveFrom) },
          { label: 'Hash', value: <span className="mono">{writeHash(hash)}</span> },
        ]}
        party={party}
        signatures={signatures}
      />
      <p className="soft">
        Once both sides have signed, this is the next version of the formula. What both signed before stays. A signature
        cannot be withdrawn.
      </p>
    </SigningDialog>
  )
}

function RefuseDialog({ page, close }: DialogProps) {
  const { path, show } = useAfter(page)
  const { id, hash } = page.change
  const [reason, setReason] = useState('')
  return (
    <FormDialog
      title="Refuse the change of terms"
      action="Refuse"
      isDangerous
      run={async () => show(await api.post(path('/terms-changes/:id/refuse', { id }), { hash, reason }))}
      close={close}
    >
      <p>The other side sees your reason. The terms stay as they are; another change can be proposed.</p>
      <Textarea
        label="Why you refuse it"
        required
        autosize
        minRows={3}
        maxLength={textBounds.words}
        data-autofocus
        value={reason}
        onChange={event => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
