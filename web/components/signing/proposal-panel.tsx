// Panel beside a proposal that both sides sign, a correction or a change of terms: its state, who has signed, why it was refused,
// and the two answers to it.
import { Button, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { parties } from '../../../src/core/parties.ts'
import type { Party } from '../../../src/views/shapes/agreements.ts'
import type { Signatures } from '../../../src/views/shapes/signatures.ts'
import { formatSigner } from '../agreements/sign-state.tsx'
import { FormDialog } from '../dialog/ask-form.tsx'
import { State } from '../figures/figures.tsx'
import type { StateKind } from '../figures/state-kind.ts'
import { IconSign } from '../page/icons.tsx'
import { textBounds } from '../words/text-bounds.ts'
import { formatInstant } from '../words/words.ts'
import panel from './sign-panel.module.css'

interface ProposalPanelProps {
  readonly state: { readonly kind: StateKind; readonly words: string }
  readonly refusal: { readonly party: Party; readonly reason: string; readonly at: string } | null
  readonly signatures: Signatures
  readonly signing: { readonly as: Party | null; readonly whyNot: string | null }
  readonly ask: (what: 'sign' | 'refuse') => void
  /** Other facts about the proposal. */
  readonly more?: ReactNode
  /** Other actions on the proposal. */
  readonly actions: ReactNode
  readonly children: ReactNode
}

export function ProposalPanel(props: ProposalPanelProps) {
  const { state, refusal, signatures, signing, ask, more, actions, children } = props
  return (
    <aside className={`${panel.panel} no-print`} aria-label="Sign-off">
      <h2>
        <State kind={state.kind}>{signing.as === null ? state.words : 'Waiting for your signature'}</State>
      </h2>
      {refusal !== null && (
        <p>
          The {refusal.party} refused it on {formatInstant(refusal.at)}: “{refusal.reason}”
        </p>
      )}
      <dl className={panel.sides}>
        {parties.map(party => {
          const signature = signatures[party]
          return (
            <div key={party}>
              <dt>{party}</dt>
              <dd>
                {signature === null ? 'not signed' : `${formatSigner(signature)}, ${formatInstant(signature.signedAt)}`}
              </dd>
            </div>
          )
        })}
      </dl>
      {signing.whyNot !== null && <p className="soft">{signing.whyNot}</p>}
      {more}
      <div className={panel.panelActions}>
        {signing.as !== null && (
          <>
            <Button leftSection={<IconSign />} onClick={() => ask('sign')} fullWidth>
              Sign as {signing.as}
            </Button>
            <Button variant="default" onClick={() => ask('refuse')} fullWidth>
              Refuse
            </Button>
          </>
        )}
        {actions}
      </div>
      {children}
    </aside>
  )
}

interface RefuseDialogProps {
  /** `the correction`. */
  readonly what: string
  /** Effect of a refusal. */
  readonly words: string
  readonly refuse: (reason: string) => Promise<unknown>
  readonly close: () => void
}

export function RefuseDialog({ what, words, refuse, close }: RefuseDialogProps) {
  const [reason, setReason] = useState('')
  return (
    <FormDialog title={`Refuse ${what}`} action="Refuse" isDangerous run={() => refuse(reason)} close={close}>
      <p>The other side sees your reason. {words}</p>
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
