// Signing in and out, as it is told to those who watch the installation from outside. An attempt that was checked and failed is told,
// with the address that was typed if it is one; one that was refused unread, because too many had failed, is not.
import { Refusal, type RefusalKind } from '../../../core/refusal.ts'
import { noteAct } from '../../../storage/audit/audit-acts.ts'
import type { SessionHolder } from '../../../storage/people/sessions.ts'
import type { Queryable } from '../../../storage/postgres/database.ts'
import { DetailedRefusal } from '../../../views/sight/detailed-refusal.ts'

interface Trying {
  readonly sql: Queryable
  /** As it was typed: it may be anything, even a password. */
  readonly email: string | null
  readonly fromAddress: string | null
  readonly said: string
  /** How what failed is refused. */
  readonly kind?: RefusalKind
}

/** What tells that a second factor is needed is a step, and no failure. */
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

/** Something that a person does about their own sign-in. */
export function tellOwn(
  sql: Queryable,
  { id: personId, email }: AboutPerson,
  fromAddress: string | null,
  { act, said }: { readonly act: 'sign-in' | 'sign-out' | 'session.end' | 'password.change'; readonly said: string },
): Promise<void> {
  return noteAct(sql, { act, who: email, personId, fromAddress, said, subject: email })
}
