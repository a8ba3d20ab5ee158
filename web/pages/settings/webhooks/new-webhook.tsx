// Creates a webhook, and shows the secret that signs it once.
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  changeEvents,
  stateEvents,
  type WebhookEvent,
  webhookEvents,
  webhookEventWords,
} from '../../../../src/core/people/webhook-events.ts'
import type { IssuedWebhook } from '../../../../src/views/shapes/webhooks.ts'
import { api } from '../../../api.ts'
import { AskForm } from '../../../components/dialog/ask-form.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { Secret, ShownOnce } from '../../../components/dialog/one-time-secret.tsx'
import { textBounds } from '../../../components/words/text-bounds.ts'
import { useWorkspace } from '../../../session.ts'
import classes from '../settings.module.css'

interface NewWebhookProps {
  readonly close: () => void
  readonly made: (issued: IssuedWebhook) => Promise<void>
}

const usual: readonly WebhookEvent[] = ['agreed', 'correction', 'adjustment.computable']

export function NewWebhook({ close, made }: NewWebhookProps) {
  const { path } = useWorkspace()
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(usual)
  const choose = (event: WebhookEvent, isChosen: boolean) =>
    setEvents(webhookEvents.filter(each => (each === event ? isChosen : events.includes(each))))
  const make = async () => made(await api.post(path('/webhooks'), { url, events: [...events] }))
  const choice = (event: WebhookEvent) => (
    <Checkbox
      key={event}
      label={<span className="mono">{event}</span>}
      description={webhookEventWords[event]}
      checked={events.includes(event)}
      onChange={change => choose(event, change.currentTarget.checked)}
    />
  )
  return (
    <Dialog onClose={close} title="New webhook" size="lg">
      <AskForm action="Create the webhook" isReady={url.trim() !== '' && events.length > 0} run={make}>
        <TextInput
          data-autofocus
          label="Address"
          description="Where messages are sent: https, on the public internet, without a user name"
          placeholder="https://erp.example/hooks/assize"
          required
          maxLength={textBounds.webhookAddress}
          value={url}
          onChange={event => setUrl(event.currentTarget.value)}
        />
        <fieldset className={classes.choices}>
          <legend>Events</legend>
          {(Object.keys(stateEvents) as WebhookEvent[]).map(choice)}
          {(Object.keys(changeEvents) as WebhookEvent[]).map(choice)}
        </fieldset>
        <p className="soft">The secret that signs its messages is shown once, right after this.</p>
      </AskForm>
    </Dialog>
  )
}

interface IssuedWebhookProps {
  readonly issued: IssuedWebhook
  readonly overlapHours: number | null
  readonly close: () => void
}

export function IssuedWebhookDialog({ issued, overlapHours, close }: IssuedWebhookProps) {
  return (
    <ShownOnce title="The secret of the webhook" size="lg" what="secret" close={close}>
      <p>
        This is the only time it is shown. The receiver at{' '}
        <span className={`mono ${classes.breaks}`}>{issued.url}</span> verifies each message with it.
        {overlapHours !== null && ` For ${overlapHours} hours the old secret signs as well.`}
      </p>
      <div>
        <Secret text={issued.secret} label="Copy the secret" isMain testId="webhook-secret" />
      </div>
    </ShownOnce>
  )
}
