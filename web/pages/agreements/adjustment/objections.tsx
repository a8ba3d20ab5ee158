// The objections to the numbers of a period and the answers to them. They are printed with the sheet and stay when the
// proposal changes.

import { Button, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { AdjustmentPage } from '../../../../src/views/shapes/agreements.ts'
import type { ObjectionView } from '../../../../src/views/shapes/objections.ts'
import { api } from '../../../api.ts'
import { formatSpeaker, formatSubject, objectionStates } from '../../../components/agreements/objection-words.ts'
import { adjustmentQuery } from '../../../components/agreements/queries.ts'
import { useRequest } from '../../../components/dialog/use-request.ts'
import { State } from '../../../components/figures/figures.tsx'
import { Section, Trouble } from '../../../components/page/page.tsx'
import { textBounds } from '../../../components/words/text-bounds.ts'
import { formatHash, formatInstant, formatMoney, formatPct } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './objections.module.css'

export function Objections({ page }: { readonly page: AdjustmentPage }) {
  const { list } = page.objections
  if (list.length === 0) return null
  return (
    <Section title="Objections">
      <ol className={classes.list}>
        {list.map(objection => (
          <Objection key={objection.id} objection={objection} page={page} />
        ))}
      </ol>
    </Section>
  )
}

interface ObjectionProps {
  readonly objection: ObjectionView
  readonly page: AdjustmentPage
}

function Objection({ objection, page }: ObjectionProps) {
  const { agreement, entry } = page
  const { state, hash, about, reason, reading, answers, adjustmentPct, price, at } = objection
  const money = (amount: string | null) =>
    amount === null ? '' : `, ${formatMoney(amount, agreement.price?.currency)}`
  const { kind, words } = objectionStates[state]
  return (
    <li>
      <h3 className={classes.head}>
        <span>{formatSubject(about, page)}</span>
        <State kind={kind}>{words(objection)}</State>
      </h3>
      <p className={classes.meta}>
        {formatSpeaker(objection)}, {formatInstant(at)}, to {formatPct(adjustmentPct)}
        {money(price)} <span className="mono">({formatHash(hash)})</span>
        {hash !== entry.hash && '; another number has been proposed since'}
      </p>
      <p className={classes.words}>{reason}</p>
      {reading !== null && (
        <div className={classes.reading}>
          <strong>
            {reading.title}: {formatPct(reading.adjustmentPct)}
            {money(reading.price)}
          </strong>
          <p>{reading.words}</p>
        </div>
      )}
      {answers.map(answer => (
        <div key={answer.at} className={classes.answer}>
          <p className={classes.meta}>
            {formatSpeaker(answer)}, {formatInstant(answer.at)}
            {answer.isWithdrawal && ': withdrawn'}
          </p>
          {answer.words !== '' && <p className={classes.words}>{answer.words}</p>}
        </div>
      ))}
      {state !== 'withdrawn' && page.objections.side !== null && <Reply objection={objection} page={page} />}
    </li>
  )
}

/** The two possible answers; either is sent with the text that was written. */
function Reply({ objection, page }: ObjectionProps) {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const { error, isPending, ask } = useRequest()
  const [words, setWords] = useState('')
  const { agreement, entry, objections } = page
  const place = { slug: agreement.slug, period: entry.period, id: objection.id }
  const isOwn = objection.party === objections.side
  // Whoever is asked for an answer has the box under the question.
  const [isOpen, setOpen] = useState(!isOwn && objection.state === 'open')
  const send = (what: 'answers' | 'withdraw') =>
    ask(async () => {
      const path =
        what === 'answers'
          ? workspace.path('/agreements/:slug/periods/:period/objections/:id/answers', place)
          : workspace.path('/agreements/:slug/periods/:period/objections/:id/withdraw', place)
      const after = await api.post(path, { words })
      queries.setQueryData(adjustmentQuery(workspace, agreement.slug, entry.period).queryKey, after)
      setOpen(false)
      setWords('')
      await queries.invalidateQueries({ queryKey: ['w', workspace.slug] })
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send('answers')
  }
  if (!isOpen)
    return (
      <div className="no-print">
        <Button variant="default" size="xs" onClick={() => setOpen(true)}>
          {isOwn ? 'Add something or withdraw' : 'Answer'}
        </Button>
      </div>
    )
  return (
    <form onSubmit={submit} className={`${classes.reply} no-print`}>
      <Textarea
        label={`Your answer, for the ${objections.side}`}
        data-autofocus
        autosize
        minRows={2}
        maxLength={textBounds.words}
        value={words}
        onChange={event => setWords(event.currentTarget.value)}
      />
      {error !== null && <Trouble error={error} />}
      <div className={classes.actions}>
        <Button type="submit" size="xs" loading={isPending} disabled={words.trim() === ''}>
          Send the answer
        </Button>
        {isOwn && objection.state === 'open' && (
          <Button variant="default" size="xs" loading={isPending} onClick={() => void send('withdraw')}>
            Withdraw the objection
          </Button>
        )}
        <Button variant="subtle" size="xs" onClick={() => setOpen(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
