// Confirms that exactly these are the people of a company: like a signature, with the password or a passkey again.

import type { CompanyView } from '../../../../src/views/shapes/company.ts'
import { api } from '../../../api.ts'
import { SigningDialog } from '../../../components/signing/signing-dialog.tsx'
import { useSigning } from '../../../components/signing/use-signing.ts'
import { formatHash } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './company.module.css'

interface ConfirmPeopleProps {
  readonly company: CompanyView
  readonly close: () => void
}

export function ConfirmPeople({ company: { name, people, hash }, close }: ConfirmPeopleProps) {
  const { path } = useWorkspace()
  const signing = useSigning({ send: proof => api.post(path('/company/confirm'), { hash, ...proof }), done: close })
  return (
    <SigningDialog title={`The people of ${name}`} words="Confirm the list" hash={hash} signing={signing} close={close}>
      <p>These, and nobody else, act for {name} in this workspace:</p>
      <ul className={classes.listed}>
        {people.map(({ id, name: called, email, joinedAt }) => (
          <li key={id}>
            {called} <span className="soft">{email}</span>
            {joinedAt === null && <span className="soft">, invited</span>}
          </li>
        ))}
      </ul>
      <p className="soft">
        List <span className="mono">{formatHash(hash)}</span>. It is recorded for good, and receipts name it beside the
        signatures of your people.
      </p>
    </SigningDialog>
  )
}
