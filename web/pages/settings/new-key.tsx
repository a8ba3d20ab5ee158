// Making a key, and the one time it is shown: to copy, with a line for the shell that works.
import { Button, Checkbox, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { IssuedKey } from '../../../src/http/console/wire/settings.ts'
import { api } from '../../api.ts'
import { CopyButton, curlOf } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Trouble } from '../../components/page.tsx'
import { writeInstant } from '../../components/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './settings.module.css'

const lives = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: 'none', label: 'No end' },
]

function endAfter(days: string): string | null {
  if (days === 'none') return null
  return new Date(Date.now() + Number.parseInt(days, 10) * 86_400_000).toISOString()
}

export function NewKey({
  close,
  made,
}: {
  readonly close: () => void
  readonly made: (issued: IssuedKey) => Promise<void>
}) {
  const { path } = useWorkspace()
  const [name, setName] = useState('')
  const [days, setDays] = useState('365')
  const [error, setError] = useState<unknown>(null)
  const [isAsking, setAsking] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setAsking(true)
    setError(null)
    try {
      await made(await api.post<IssuedKey>(path('/keys'), { name, expiresAt: endAfter(days) }))
    } catch (failure) {
      setError(failure)
      setAsking(false)
    }
  }
  return (
    <Dialog onClose={close} title="New API key">
      <form onSubmit={event => void submit(event)} className={classes.form}>
        <TextInput
          data-autofocus
          label="Name"
          description="Which system will use it"
          placeholder="ERP production"
          required
          maxLength={200}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Select
          label="Valid for"
          data={lives}
          value={days}
          allowDeselect={false}
          onChange={value => setDays(value ?? '365')}
        />
        {error !== null && <Trouble error={error} />}
        <Button type="submit" loading={isAsking} disabled={name.trim() === ''}>
          Make the key
        </Button>
      </form>
    </Dialog>
  )
}

export function ShownOnce({
  issued,
  overlapHours,
  close,
}: {
  readonly issued: IssuedKey
  readonly overlapHours: number | null
  readonly close: () => void
}) {
  const [isStored, setStored] = useState(false)
  const curl = curlOf('/series?limit=5', issued.key)
  return (
    <Dialog
      onClose={close}
      size="lg"
      title={`The key “${issued.name}”`}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={classes.form}>
        <p>
          This is the only time it is shown.
          {issued.expiresAt !== null && ` It is valid until ${writeInstant(issued.expiresAt)}.`}
          {overlapHours !== null && ` The old key goes on for ${overlapHours / 24} days.`}
        </p>
        <div>
          <div className={classes.secret} data-testid="key">
            {issued.key}
          </div>
          <div className={classes.line}>
            <CopyButton text={issued.key} label="Copy the key" variant="filled" />
          </div>
        </div>
        <div>
          <p className="soft">Try it:</p>
          <div className={classes.secret}>{curl}</div>
          <div className={classes.line}>
            <CopyButton text={curl} label="Copy the line" />
          </div>
        </div>
        <Checkbox
          label="I have stored the key in a safe place"
          checked={isStored}
          onChange={event => setStored(event.currentTarget.checked)}
        />
        <Button disabled={!isStored} onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
