// Every signature of the pages: proves who signs, sends the shown hashes, and refreshes the pages that show them.
import { useQueryClient } from '@tanstack/react-query'
import type { AssertionView } from '../../../src/views/calls/factor-calls.ts'
import type { AskedSigning } from '../../../src/views/calls/inbox-calls.ts'
import { ApiFailure, api } from '../../api.ts'
import { useWorkspace } from '../../session.ts'
import { useRequest } from '../dialog/use-request.ts'
import type { Batch } from './batch.ts'
import { factorsQuery } from './factors.ts'

/**
 * Proof of who signs: known already, by the password, by a passkey that signs the hash, or by the identity provider of their
 * company.
 */
export type SigningProof =
  | { readonly password: string | null }
  | { readonly passkey: () => Promise<AssertionView> }
  | { readonly provider: true }

interface SigningParts<Answer> {
  /**
   * Sends the shown hashes, with the answer of the passkey if that is the proof; for a batch with the id under which the answer
   * is kept, in one request or several.
   */
  readonly send: (proof: { readonly passkey?: AssertionView }, batchId?: string) => Promise<Answer>
  /** Batch, where one touch of the passkey signs several things: the dialog has its hash signed. */
  readonly batch?: Batch
  /**
   * Request as data, for a person who signs by their provider: it is kept while they are there. By default that way is not
   * offered.
   */
  readonly asked?: AskedSigning
  readonly done: (answer: Answer) => void
  /** Something else is proposed by now: asks again, or throws the failure. */
  readonly moved?: (failure: ApiFailure) => Promise<void>
}

export interface Signing {
  readonly error: unknown
  /** Whether it can be signed by the identity provider. */
  readonly byProvider: boolean
  readonly isSigning: boolean
  /** Returns whether the request reached the server: if it did not, the password need not be typed again. */
  readonly sign: (proof: SigningProof) => Promise<boolean>
}

export function useSigning<Answer>({ send, done, moved, batch, asked }: SigningParts<Answer>): Signing {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const { error, isPending, ask } = useRequest()
  const sendProven = async (passkey: AssertionView): Promise<Answer> => {
    if (batch === undefined) return send({ passkey })
    const { id } = await api.post(path('/sign-offs/batch'), { entries: [...batch.entries], passkey })
    return send({}, id)
  }
  /** The page is left; the request is signed when the person is back (visit-return.tsx). */
  const leave = async (): Promise<boolean> => {
    let isLeft = false
    await ask(async () => {
      const returnTo = `${location.pathname}${location.search}`
      const { url } = await api.post(path('/sign-offs/visits'), { ...asked, returnTo })
      isLeft = true
      location.assign(url)
    })
    return isLeft
  }
  const sign = async (proof: SigningProof): Promise<boolean> => {
    if ('provider' in proof) return leave()
    let isHeard = true
    await ask(async () => {
      try {
        if ('password' in proof && proof.password !== null) await api.post('/confirm', { password: proof.password })
        done('passkey' in proof ? await sendProven(await proof.passkey()) : await send({}))
      } catch (failure) {
        isHeard = failure instanceof ApiFailure && failure.status !== 0
        if (moved === undefined || !(failure instanceof ApiFailure) || failure.status !== 409) throw failure
        await moved(failure)
      }
    })
    // Without a connection the dialog stays as it is, with the trouble.
    if (!isHeard) return false
    void queries.invalidateQueries(factorsQuery)
    // A page that is opened later does not begin with the state before the signature.
    queries.removeQueries({ queryKey: ['w', slug], type: 'inactive' })
    void queries.invalidateQueries({ queryKey: ['w', slug] })
    return true
  }
  return { error, isSigning: isPending, byProvider: asked !== undefined, sign }
}
