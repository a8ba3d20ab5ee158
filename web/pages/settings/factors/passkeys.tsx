// A person's passkeys: lists, adds and removes them.

import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { PasskeyView } from '../../../../src/views/shapes/factors.ts'
import { api } from '../../../api.ts'
import { at } from '../../../calls.ts'
import { AskForm, FormDialog } from '../../../components/dialog/ask-form.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { Ago } from '../../../components/figures/figures.tsx'
import { IconPlus } from '../../../components/page/icons.tsx'
import { makePasskey } from '../../../components/signing/passkey.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { textBounds } from '../../../components/words/text-bounds.ts'
import { RowAction } from '../row-actions.tsx'
import classes from '../settings.module.css'
import type { FactorParts } from './factor-parts.ts'
import type { Confirmed } from './show-again.tsx'

export function Passkeys({ factors, confirmed, changed }: FactorParts) {
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<PasskeyView | null>(null)
  const { passkeys, whyNoPasskeys } = factors
  return (
    <>
      <div className={classes.lead}>
        <p className="soft prose">
          A passkey is stored in your phone, computer or security key and opens with a fingerprint, your face or a PIN.
          A number signed with a passkey carries the signature of that key, which anybody can check.
          {whyNoPasskeys !== null && ` ${whyNoPasskeys}`}
        </p>
        <Button leftSection={<IconPlus />} disabled={whyNoPasskeys !== null} onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      </div>
      {passkeys.length > 0 && <PasskeyTable passkeys={passkeys} remove={setRemoving} />}
      {isAdding && (
        <NewPasskey
          confirmed={confirmed}
          close={() => setAdding(false)}
          made={async () => {
            setAdding(false)
            await changed()
          }}
        />
      )}
      {removing !== null && (
        <FormDialog
          title={`Remove “${removing.name}”`}
          action="Remove the passkey"
          isDangerous
          close={() => setRemoving(null)}
          run={async () => {
            await confirmed(() => api.delete(at('/passkeys/:id', { id: removing.id })))
            await changed()
          }}
        >
          It no longer opens your account or signs for you. Its signatures stay valid and can still be checked.
        </FormDialog>
      )}
    </>
  )
}

interface PasskeyTableProps {
  readonly passkeys: readonly PasskeyView[]
  readonly remove: (passkey: PasskeyView) => void
}

function PasskeyTable({ passkeys, remove }: PasskeyTableProps) {
  return (
    <DataTable
      label="Passkeys"
      rows={passkeys}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Name',
          cell: ({ name, isUsableHere }) => (
            <>
              {name}
              {!isUsableHere && <span className="soft"> (for another address of this server)</span>}
            </>
          ),
        },
        { head: 'Since', narrow: 'label', className: 'figures', cell: ({ createdAt }) => formatDate(createdAt) },
        {
          head: 'Last used',
          cell: ({ lastUsedAt }) =>
            lastUsedAt === null ? <span className="soft">never</span> : <Ago at={lastUsedAt} />,
        },
      ]}
      actions={passkey => (
        <RowAction words="Remove" label={`Remove the passkey ${passkey.name}`} run={() => remove(passkey)} />
      )}
    />
  )
}

interface NewPasskeyProps {
  readonly confirmed: Confirmed
  readonly close: () => void
  readonly made: () => Promise<void>
}

function NewPasskey({ confirmed, close, made }: NewPasskeyProps) {
  const [name, setName] = useState('')
  const register = async () => {
    const request = await confirmed(() => api.post('/passkeys/begin', {}))
    await api.post('/passkeys', { name: name.trim(), registration: await makePasskey(request) })
    await made()
  }
  return (
    <Dialog onClose={close} title="Add a passkey">
      <AskForm action="Continue in the browser" isReady={name.trim() !== ''} run={register}>
        <TextInput
          data-autofocus
          label="Name"
          description="Where it is stored, so that you recognise it"
          placeholder="My phone"
          required
          maxLength={textBounds.passkeyName}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
      </AskForm>
    </Dialog>
  )
}
