// Sign-in and sign-out, as reported to those who watch the installation from outside. A checked and failed attempt is reported,
// with the typed address if it is one; an attempt refused unread, because too many had failed, is not.
import { Refusal, type RefusalKind } from '../../../core/refusal.ts'
import { noteAct } from '../../../storage/audit/audit-acts.ts'
import type { SessionHolder } from '../../../storage/people/sessions.ts'
import type { Queryable } from '../../../storage/postgres/database.ts'
import { DetailedRefusal } from '../../../views/sight/detailed-refusal.ts'

interface Trying {
  readonly sql: Queryable
  /** The text as typed: it may be anything, even a password. */
  readonly email: string | null
  readonly fromAddress: string | null
  readonly said: string
  /** Kind of the refusal after a failure. */
  readonly kind?: RefusalKind
}

/** An error that asks for a second factor is a step, and no failure. */
export async function tellingRefused<T>(
  { sql, email, fromAddress, said, kind = 'not-signed-in' }: Trying,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && error.kind === kind && !(error instanceof DetailedRefusal)) {
      const who = email !== null && isAddress(email) ? email.trim().toLowerCase() : 'unknown'
      await noteAct(sql, { act: 'sign-in.refused', who, fromAddress, said, subject: who })
    }
    throw error
  }
}

function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@\p{Cc}]+$/u.test(text.trim())
}

type AboutPerson = Pick<SessionHolder['person'], 'id' | 'email'>

/** Reports an act of a person about their own sign-in. */
export function tellOwn(
  sql: Queryable,
  { id: personId, email }: AboutPerson,
  fromAddress: string | null,
  { act, said }: { readonly act: 'sign-in' | 'sign-out' | 'session.end' | 'password.change'; readonly said: string },
): Promise<void> {
  return noteAct(sql, { act, who: email, personId, fromAddress, said, subject: email })
}
