// What can be done with a correction: sign it, refuse it with a reason, waive the money, or bill it; and its state.
import { Button, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { CorrectionPage, NoteDocument } from '../../../../src/views/shapes/true-up.ts'
import { api } from '../../../api.ts'
import { otherParty, parties, writeSigner } from '../../../components/agreements/sign-state.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { useRequest } from '../../../components/dialog/use-request.ts'
import { State } from '../../../components/figures/figures.tsx'
import { IconSign } from '../../../components/page/icons.tsx'
import { Trouble } from '../../../components/page/page.tsx'
import { factorsQuery } from '../../../components/signing/factors.ts'
import { type Proof, ProofForm } from '../../../components/signing/proof-form.tsx'
import panel from '../../../components/signing/sign-panel.module.css'
import { saveFile } from '../../../components/table/save-file.ts'
import { correctionQuery } from '../../../components/true-up/queries.ts'
import classes from '../../../components/true-up/true-up.module.css'
import { stateWords, writeAmount, writeBalance } from '../../../components/true-up/words.ts'
import { writeDay, writeHash, writeInstant } from '../../../components/words/words.ts'
import { useSession, useWorkspace } from '../../../session.ts'

interface PanelProps {
  readonly page: CorrectionPage
}

type Asked = 'sign' | 'refuse' | 'waive' | 'note' | null

export function CorrectionPanel({ page }: PanelProps) {
  const [asked, setAsked] = useState<Asked>(null)
  const { correction, signing, signatures } = page
  const { kind, words } = stateWords[correction.state]
  const close = () => setAsked(null)
  return (
    <aside className={`${panel.panel} no-print`} aria-label="Sign-off">
      <h2>
        <State kind={kind}>{signing.as === null ? words : 'Waits for your signature'}</State>
      </h2>
      {correction.refusal !== null && (
        <p>
          The {correction.refusal.party} refused it on {writeInstant(correction.refusal.at)}: “
          {correction.refusal.reason}”
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
      <Notes page={page} />
      <div className={classes.panelActions}>
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
      </div>
      {asked === 'sign' && signing.as !== null && <SignDialog page={page} party={signing.as} close={close} />}
      {asked === 'refuse' && <RefuseDialog page={page} close={close} />}
      {asked === 'waive' && <WaiveDialog page={page} close={close} />}
      {asked === 'note' && <NoteDialog page={page} close={close} />}
    </aside>
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

function useAfter({ correction, formula }: CorrectionPage) {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  return {
    path: workspace.path,
    ws: workspace.slug,
    slug: formula.slug,
    async show(after: CorrectionPage | null) {
      if (after !== null) queries.setQueryData(correctionQuery(workspace, correction.id).queryKey, after)
      await queries.invalidateQueries({ queryKey: ['w', workspace.slug] })
    },
    factors: () => void queries.invalidateQueries(factorsQuery),
  }
}

function SignDialog({ page, party, close }: DialogProps & { readonly party: 'buyer' | 'supplier' }) {
  const { path, show, factors } = useAfter(page)
  const { correction, formula, signatures } = page
  const { id, hash, net, currency, waived } = correction
  const { error, isPending, ask } = useRequest()
  const person = useSession()?.person
  const other = otherParty[party]
  const theirs = signatures[other]
  const sign = async (proof: Proof): Promise<boolean> => {
    const isHeard = await ask(async () => {
      if ('password' in proof && proof.password !== null) await api.post('/confirm', { password: proof.password })
      const passkey = 'passkey' in proof ? { passkey: await proof.passkey() } : {}
      const after = await api.post(path('/corrections/:id/sign', { id }), { party, hash, ...passkey })
      close()
      await show(after)
    })
    factors()
    return isHeard
  }
  return (
    <Dialog onClose={close} title={`Sign the ${waived ? 'waiver' : 'correction'} as ${party}`} size={520}>
      <div className={panel.dialog}>
        <dl className={panel.asked}>
          <div>
            <dt>Formula</dt>
            <dd>{formula.name}</dd>
          </div>
          <div>
            <dt>{waived ? 'Let go' : 'Amount'}</dt>
            <dd className={panel.number}>{net === null ? 'none known' : writeAmount(net, currency)}</dd>
          </div>
          <div>
            <dt>Periods</dt>
            <dd>{correction.periods.map(({ period }) => period).join(', ')}</dd>
          </div>
          <div>
            <dt>Signed by</dt>
            <dd>
              {person?.name}, {person?.email}
            </dd>
          </div>
          <div>
            <dt>The {other}</dt>
            <dd>
              {theirs === null ? 'has not signed yet' : `${writeSigner(theirs)} signed on ${writeDay(theirs.signedAt)}`}
            </dd>
          </div>
          <div>
            <dt>Hash</dt>
            <dd className="mono">{writeHash(hash)}</dd>
          </div>
        </dl>
        <p className="soft">
          Once both sides have signed, these prices are settled. The signed numbers stay on record as they were signed.
          A signature cannot be withdrawn.
        </p>
        {error !== null && <Trouble error={error} />}
        <ProofForm words={`Sign as ${party}`} isSigning={isPending} hash={hash} sign={sign} close={close} />
      </div>
    </Dialog>
  )
}

function RefuseDialog({ page, close }: DialogProps) {
  const { path, show } = useAfter(page)
  const { id, hash } = page.correction
  const { error, isPending, ask } = useRequest()
  const [reason, setReason] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void ask(async () => {
      const after = await api.post(path('/corrections/:id/refuse', { id }), { hash, reason })
      close()
      await show(after)
    })
  }
  return (
    <Dialog onClose={close} title="Refuse the correction" size={520}>
      <form onSubmit={submit} className={classes.form}>
        <p>The other side sees your reason. The prices stay as they are settled; the same can be proposed again.</p>
        <Textarea
          label="Why you refuse it"
          required
          autosize
          minRows={3}
          data-autofocus
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
        />
        {error !== null && <Trouble error={error} />}
        <div className={classes.formActions}>
          <Button variant="default" onClick={close}>
            Not now
          </Button>
          <Button type="submit" loading={isPending} color="red">
            Refuse
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function WaiveDialog({ page, close }: DialogProps) {
  const { path, show, ws } = useAfter(page)
  const navigate = useNavigate()
  const { id, net, currency } = page.correction
  const { error, isPending, ask } = useRequest()
  const waive = () =>
    ask(async () => {
      const { id: waiver } = await api.post(path('/corrections/:id/waive', { id }), {})
      close()
      await show(null)
      await navigate({ to: '/w/$ws/corrections/$id', params: { ws, id: waiver } })
    })
  return (
    <Dialog onClose={close} title="Waive the amount" size={520}>
      <div className={classes.form}>
        <p>
          A waiver takes the place of this proposal. Once both sides have signed it, the prices are corrected and{' '}
          {net === null || currency === null ? 'the amount' : writeBalance(net, currency)} is neither billed nor paid.
        </p>
        {error !== null && <Trouble error={error} />}
        <div className={classes.formActions}>
          <Button variant="default" onClick={close}>
            Not now
          </Button>
          <Button loading={isPending} onClick={() => void waive()}>
            Propose the waiver
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function NoteDialog({ page, close }: DialogProps) {
  const { path, show } = useAfter(page)
  const { id } = page.correction
  const { error, isPending, ask } = useRequest()
  const [number, setNumber] = useState('')
  const [date, setDate] = useState(new Date().toISOString().slice(0, 10))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void ask(async () => {
      const note: NoteDocument = await api.post(path('/corrections/:id/note', { id }), { number, date })
      saveFile(note.fileName, 'text/csv', [note.text])
      close()
      await show(null)
    })
  }
  return (
    <Dialog onClose={close} title="Issue a note" size={520}>
      <form onSubmit={submit} className={classes.form}>
        <p>Records the number and date of the document that bills the amount, and saves its lines as CSV.</p>
        <TextInput
          label="Number of the document"
          required
          data-autofocus
          value={number}
          onChange={event => setNumber(event.currentTarget.value)}
        />
        <TextInput
          label="Date"
          type="date"
          required
          value={date}
          onChange={event => setDate(event.currentTarget.value)}
        />
        {error !== null && <Trouble error={error} />}
        <div className={classes.formActions}>
          <Button variant="default" onClick={close}>
            Not now
          </Button>
          <Button type="submit" loading={isPending}>
            Issue the note
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
