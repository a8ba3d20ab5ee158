// Creates a key and shows it once: to copy, with a shell command that works.

import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { KeyScope } from '../../../../src/core/people/key-scope.ts'
import type { IssuedKey } from '../../../../src/views/shapes/settings.ts'
import { api } from '../../../api.ts'
import { AskForm } from '../../../components/dialog/ask-form.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { Secret, ShownOnce } from '../../../components/dialog/one-time-secret.tsx'
import { curlOf } from '../../../components/page/copy.tsx'
import { textBounds } from '../../../components/words/text-bounds.ts'
import { formatInstant } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

const lives = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: 'none', label: 'No end' },
]

const scopes: readonly { readonly value: KeyScope; readonly label: string }[] = [
  { value: 'read', label: 'Series, agreements and prices' },
  { value: 'money', label: 'Also invoices, checks and amounts' },
  { value: 'all', label: 'Everything, now and later' },
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
  const [scope, setScope] = useState<KeyScope>('read')
  const [days, setDays] = useState('365')
  const make = async () => made(await api.post(path('/keys'), { name, scope, expiresAt: endAfter(days) }))
  return (
    <Dialog onClose={close} title="New API key">
      <AskForm action="Create the key" isReady={name.trim() !== ''} run={make}>
        <TextInput
          data-autofocus
          label="Name"
          description="The system that will use it, so that you know later what stops when you revoke it"
          placeholder="ERP production"
          required
          maxLength={textBounds.name}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Select
          label="May read"
          data={scopes}
          value={scope}
          allowDeselect={false}
          onChange={value => setScope(value ?? 'read')}
        />
        <Select
          label="Valid for"
          data={lives}
          value={days}
          allowDeselect={false}
          onChange={value => setDays(value ?? '365')}
        />
        <p className="soft">
          The key is shown once, right after this, with a line to try it. Only a digest of it is kept here.
        </p>
      </AskForm>
    </Dialog>
  )
}

export function IssuedKeyDialog({
  issued,
  overlapHours,
  close,
}: {
  readonly issued: IssuedKey
  readonly overlapHours: number | null
  readonly close: () => void
}) {
  const curl = curlOf('/series?limit=5', issued.key)
  return (
    <ShownOnce title={`The key “${issued.name}”`} size="lg" what="key" close={close}>
      <p>
        This is the only time it is shown.
        {issued.expiresAt !== null && ` It is valid until ${formatInstant(issued.expiresAt)}.`}
        {overlapHours !== null && ` The old key keeps working for ${overlapHours / 24} days.`}
      </p>
      <div>
        <Secret text={issued.key} label="Copy the key" isMain testId="key" />
      </div>
      <div>
        <p className="soft">Try it:</p>
        <Secret text={curl} label="Copy the line" />
      </div>
    </ShownOnce>
  )
}
