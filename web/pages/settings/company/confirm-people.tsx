// Confirms that exactly these are the people of a company: like a signature, with the password or a passkey again.
import { useQueryClient } from '@tanstack/react-query'
import type { CompanyView } from '../../../../src/views/shapes/company.ts'
import { api } from '../../../api.ts'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { useRequest } from '../../../components/dialog/use-request.ts'
import { Trouble } from '../../../components/page/page.tsx'
import { factorsQuery } from '../../../components/signing/factors.ts'
import { type Proof, ProofForm } from '../../../components/signing/proof-form.tsx'
import { writeHash } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './company.module.css'

interface ConfirmPeopleProps {
  readonly company: CompanyView
  readonly close: () => void
}

export function ConfirmPeople({ company: { name, people, hash }, close }: ConfirmPeopleProps) {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const { error, isPending, ask } = useRequest()
  const sign = async (proof: Proof): Promise<boolean> => {
    const isHeard = await ask(async () => {
      if ('password' in proof && proof.password !== null) await api.post('/confirm', { password: proof.password })
      const passkey = 'passkey' in proof ? { passkey: await proof.passkey() } : {}
      await api.post(path('/company/confirm'), { hash, ...passkey })
      close()
      await queries.invalidateQueries({ queryKey: ['w', slug] })
    })
    void queries.invalidateQueries(factorsQuery)
    return isHeard
  }
  return (
    <Dialog onClose={close} title={`The people of ${name}`} size={520}>
      <div className={classes.dialog}>
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
          List <span className="mono">{writeHash(hash)}</span>. It is recorded for good, and receipts name it beside the
          signatures of your people.
        </p>
        {error !== null && <Trouble error={error} />}
        <ProofForm words="Confirm the list" isSigning={isPending} hash={hash} sign={sign} close={close} />
      </div>
    </Dialog>
  )
}
