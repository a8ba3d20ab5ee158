// Invites somebody into the workspace and shows the link once.

import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { InviteRequest } from '../../../../src/views/calls/settings-calls.ts'
import type { Role } from '../../../../src/views/shapes/session.ts'
import type { Invited } from '../../../../src/views/shapes/settings.ts'
import { api } from '../../../api.ts'
import { AskForm } from '../../../components/dialog/ask-form.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { Secret } from '../../../components/dialog/one-time-secret.tsx'
import { textBounds } from '../../../components/words/text-bounds.ts'
import { formatInstant } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { PartyChoice } from '../parties/party-choice.tsx'
import classes from '../settings.module.css'
import { roleChoices } from './roles.ts'

interface InviteProps {
  /** The inviting person's own company: role and party are then given. */
  readonly company?: { readonly slug: string; readonly name: string }
  readonly close: () => void
  readonly done: (invited: Invited) => Promise<void>
}

export function Invite({ close, done, company }: InviteProps) {
  const { path, role: own } = useWorkspace()
  const first = company === undefined ? { role: 'viewer' as const, party: null } : { role: own, party: company.slug }
  const [entered, setEntered] = useState<InviteRequest>({ email: '', name: '', ...first })
  const invite = async () => {
    const name = entered.name.trim() || entered.email.split('@')[0]!
    await done(await api.post(path('/people'), { ...entered, name }))
  }
  return (
    <Dialog onClose={close} title={company === undefined ? 'Invite somebody' : `Invite somebody of ${company.name}`}>
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
          maxLength={textBounds.name}
          value={entered.name}
          onChange={event => setEntered({ ...entered, name: event.currentTarget.value })}
        />
        {company === undefined ? (
          <>
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
          </>
        ) : (
          <p className="soft">They see and sign the same agreements as you. Everybody of {company.name} is notified.</p>
        )}
      </AskForm>
    </Dialog>
  )
}

export function InvitedOnce({ invited, close }: { readonly invited: Invited; readonly close: () => void }) {
  const { person, link, expiresAt, isMailed, whyNotMailed } = invited
  return (
    <Dialog onClose={close} size="lg" title={`A link for ${person.name}`}>
      <div className={classes.form}>
        {link === null ? (
          <p>
            The link goes to {person.email} by mail and is shown to nobody else. It works once
            {expiresAt === null ? '' : `, until ${formatInstant(expiresAt)}`}. The people of their company are notified.
          </p>
        ) : (
          <>
            <p>
              {isMailed ? `This link is on its way to ${person.email} by mail.` : `Send this link to ${person.email}.`}{' '}
              It works once{expiresAt === null ? '' : `, until ${formatInstant(expiresAt)}`}, and is shown only now.
            </p>
            {whyNotMailed !== null && <p className="soft">{whyNotMailed}.</p>}
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
