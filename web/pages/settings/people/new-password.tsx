// Link for somebody who forgot their password: first its effect, then the link itself.
import type { Invited, PersonRow } from '../../../../src/views/shapes/settings.ts'
import { api } from '../../../api.ts'
import { AskForm } from '../../../components/dialog/ask-form.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { useWorkspace } from '../../../session.ts'

interface NewPasswordProps {
  readonly person: PersonRow
  readonly close: () => void
  readonly done: (invited: Invited) => Promise<void>
}

export function NewPassword({ person, close, done }: NewPasswordProps) {
  const { path } = useWorkspace()
  const make = async () => done(await api.post(path('/people/:id/password-link', { id: person.id }), {}))
  return (
    <Dialog onClose={close} title={`A new password for ${person.name}`}>
      <AskForm action="Make the link" run={make}>
        <p>
          {person.isOthers
            ? `A link that works once goes to their address by mail. You do not see it, and the people of ${person.party?.name} are notified. `
            : 'You get a link that works once. '}
          With it {person.email} sets a new password, or enters the old one. Until then they cannot enter this
          workspace. Role, party and everything they signed stay; passkeys and codes are set up again with a new
          password.
        </p>
      </AskForm>
    </Dialog>
  )
}
