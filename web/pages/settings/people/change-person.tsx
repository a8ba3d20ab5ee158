// Changes the role or the party of somebody in the workspace.
import { Select } from '@mantine/core'
import { useState } from 'react'
import type { PersonRequest } from '../../../../src/views/calls/settings-calls.ts'
import type { Role } from '../../../../src/views/shapes/session.ts'
import type { PersonRow } from '../../../../src/views/shapes/settings.ts'
import { api } from '../../../api.ts'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { useWorkspace } from '../../../session.ts'
import { PartyChoice } from '../parties/party-choice.tsx'
import classes from '../settings.module.css'
import { roleChoices } from './roles.ts'

interface ChangePersonProps {
  readonly person: PersonRow
  readonly close: () => void
  readonly changed: () => Promise<void>
}

export function ChangePerson({ person, close, changed }: ChangePersonProps) {
  const { path } = useWorkspace()
  const before = person.party?.slug ?? null
  const [role, setRole] = useState<Role>(person.role)
  const [party, setParty] = useState(before)
  return (
    <FormDialog
      title={`Role and party of ${person.name}`}
      action="Change"
      run={async () => {
        const request: PersonRequest = { role, ...(party === before ? {} : { party }) }
        await api.patch(path('/people/:id', { id: person.id }), request)
        await changed()
      }}
      close={close}
    >
      <div className={classes.form}>
        <Select
          label="Role"
          data={roleChoices}
          value={role}
          allowDeselect={false}
          onChange={value => setRole((value ?? person.role) as Role)}
        />
        {person.isOthers ? (
          <p className="soft">{person.party?.name} admits its own people: only they say who belongs to it.</p>
        ) : (
          <PartyChoice role={role} value={party} onChange={setParty} />
        )}
      </div>
    </FormDialog>
  )
}
