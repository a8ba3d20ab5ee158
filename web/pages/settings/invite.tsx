// Invites somebody into the workspace and shows the link once.
import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Role } from '../../../src/http/console/wire/session.ts'
import type { Invited } from '../../../src/http/console/wire/settings.ts'
import type { InviteRequest } from '../../../src/http/console/wire/settings-calls.ts'
import { api } from '../../api.ts'
import { Dialog } from '../../components/dialog.tsx'
import { writeInstant } from '../../components/words.ts'
import { useWorkspace } from '../../session.ts'
import { AskForm } from './ask-form.tsx'
import { PartyChoice } from './party-choice.tsx'
import { roleChoices } from './roles.ts'
import classes from './settings.module.css'
import { Secret } from './shown-once.tsx'

interface InviteProps {
  readonly close: () => void
  readonly done: (invited: Invited) => Promise<void>
}

export function Invite({ close, done }: InviteProps) {
  const { path } = useWorkspace()
  const [entered, setEntered] = useState<InviteRequest>({ email: '', name: '', role: 'viewer', party: null })
  const invite = async () => {
    const name = entered.name.trim() || entered.email.split('@')[0]!
    await done(await api.post(path('/people'), { ...entered, name }))
  }
  return (
    <Dialog onClose={close} title="Invite somebody">
      <AskForm action="Invite" run={invite}>
        <TextInput
          data-autofocus
          label="E-mail"
          type="email"
          required
          value={entered.email}
          onChange={event => setEntered({ ...entered, email: event.currentTarget.value })}
        />
        <TextInput
          label="Name"
          description="As it will appear under a signature"
          maxLength={200}
          value={entered.name}
          onChange={event => setEntered({ ...entered, name: event.currentTarget.value })}
        />
        <Select
          label="Role"
          data={roleChoices}
          value={entered.role}
          allowDeselect={false}
          onChange={role => setEntered({ ...entered, role: (role ?? 'viewer') as Role })}
        />
        <PartyChoice
          role={entered.role}
          value={entered.party ?? null}
          onChange={party => setEntered({ ...entered, party })}
        />
      </AskForm>
    </Dialog>
  )
}

export function InvitedOnce({ invited, close }: { readonly invited: Invited; readonly close: () => void }) {
  const { person, link, expiresAt, isMailed } = invited
  return (
    <Dialog onClose={close} size="lg" title={`A link for ${person.name}`}>
      <div className={classes.form}>
        {link === null ? (
          <p>{person.email} is in this workspace and needs no link.</p>
        ) : (
          <>
            <p>
              {isMailed ? `This link is on its way to ${person.email} by mail.` : `Send this link to ${person.email}.`}{' '}
              It works once{expiresAt === null ? '' : `, until ${writeInstant(expiresAt)}`}, and is shown only now.
            </p>
            <Secret text={link} label="Copy the link" isMain testId="link" />
          </>
        )}
        <Button variant="default" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
