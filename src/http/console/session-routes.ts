// The routes of the console that are not of a workspace: who is signed in, signing in and out, the password, and the
// sessions of a person.
import Type, { type Static, type TSchema } from 'typebox'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { verifyPassword } from '../../storage/password.ts'
import { changePassword, findSignIn, listMemberships } from '../../storage/people.ts'
import { endOtherSessions, endSession, listSessions, openSession, type SessionHolder } from '../../storage/sessions.ts'
import { ConsoleFailure } from './failure.ts'
import { explainPlainHttp, type Ours } from './origin-check.ts'
import { type ConsoleAnswer, type ConsoleParts, done, ok } from './route.ts'
import { endSessionCookie, writeSessionCookie } from './session-cookie.ts'
import type { SignInDoor } from './sign-in.ts'
import type { SessionRow, SessionView } from './wire/session.ts'

export interface PublicQuestion {
  /** Who asks; `null` where nobody is signed in. */
  readonly holder: SessionHolder | null
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
  readonly ours: Ours
  readonly fromAddress: string
  readonly userAgent: string | null
}

export interface PublicRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Behind `/console`. */
  readonly path: string
  readonly body?: TSchema
  readonly answer: (question: PublicQuestion) => Promise<ConsoleAnswer>
}

const closed = { additionalProperties: false }
const emailText = Type.String({ minLength: 1, maxLength: limits.emailLength })
const passwordText = Type.String({ minLength: 1, maxLength: limits.maximumPasswordLength })

const signInBody = Type.Object({ email: emailText, password: passwordText }, closed)
const passwordBody = Type.Object({ current: passwordText, next: passwordText }, closed)

export function publicRoutes(parts: ConsoleParts, door: SignInDoor): readonly PublicRoute[] {
  const { sql } = parts.installation
  return [
    { method: 'GET', path: '/session', answer: async question => ok(await viewOf(parts, signedIn(question).person)) },
    { method: 'POST', path: '/sign-in', body: signInBody, answer: question => signIn(parts, door, question) },
    {
      method: 'POST',
      path: '/sign-out',
      async answer({ holder }) {
        if (holder !== null) await endSession(sql, holder.person.id, holder.sessionId).catch(ignoreEnded)
        return { status: 204, headers: { 'set-cookie': endSessionCookie() } }
      },
    },
    { method: 'POST', path: '/password', body: passwordBody, answer: question => change(parts, door, question) },
    {
      method: 'GET',
      path: '/sessions',
      async answer(question) {
        const { person, sessionId } = signedIn(question)
        const sessions = await listSessions(sql, person.id)
        return ok(sessions.map((session): SessionRow => ({ ...session, isThis: session.id === sessionId })))
      },
    },
    {
      method: 'DELETE',
      path: '/sessions',
      async answer(question) {
        const { person, sessionId } = signedIn(question)
        await endOtherSessions(sql, person.id, sessionId)
        return done
      },
    },
    {
      method: 'DELETE',
      path: '/sessions/:id',
      async answer(question) {
        const { person, sessionId } = signedIn(question)
        const { id } = question.params
        await endSession(sql, person.id, id!)
        return id === sessionId ? { status: 204, headers: { 'set-cookie': endSessionCookie() } } : done
      },
    },
  ]
}

export function signedIn<T>({ holder }: { readonly holder: T | null }): T {
  if (holder === null) throw new ConsoleFailure(401, 'nobody is signed in here; sign in and try again')
  return holder
}

/** Of two who end a session, both have what they wanted. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof Refusal && error.kind === 'not-found')) throw error
}

async function viewOf({ installation }: ConsoleParts, person: SessionView['person']): Promise<SessionView> {
  const memberships = await listMemberships(installation.sql, person.id)
  return { person, workspaces: memberships.map(({ slug, name, role }) => ({ slug, name, role })) }
}

async function signIn(parts: ConsoleParts, door: SignInDoor, question: PublicQuestion): Promise<ConsoleAnswer> {
  refusePlainHttp(question)
  const { email, password } = question.body as Static<typeof signInBody>
  const { id, name, email: spelt, passwordHash } = await door.recognise(email, password, question.fromAddress)
  return begin(parts, question, { id, name, email: spelt }, passwordHash)
}

/** A new token with every sign-in; the session that was open in this browser ends. */
export async function begin(
  parts: ConsoleParts,
  { holder, fromAddress, userAgent }: PublicQuestion,
  person: SessionView['person'],
  passwordHash: string,
): Promise<ConsoleAnswer> {
  const { sql } = parts.installation
  const token = await openSession(sql, { personId: person.id, passwordHash, fromAddress, userAgent })
  if (token === null) throw new ConsoleFailure(401, 'the password was changed at this moment; sign in with the new one')
  if (holder !== null) await endSession(sql, holder.person.id, holder.sessionId).catch(ignoreEnded)
  const headers = { 'set-cookie': writeSessionCookie(token) }
  return { ...ok(await viewOf(parts, person)), headers }
}

export function refusePlainHttp({ ours }: PublicQuestion): void {
  if (!ours.keepsSignIn) throw new ConsoleFailure(403, explainPlainHttp(ours))
}

async function change(parts: ConsoleParts, door: SignInDoor, question: PublicQuestion): Promise<ConsoleAnswer> {
  const { person, sessionId } = signedIn(question)
  const { sql } = parts.installation
  const { current, next } = question.body as Static<typeof passwordBody>
  door.refuseTooMany(person.email, question.fromAddress, true)
  const held = (await findSignIn(sql, person.email))!.passwordHash!
  await door.workOut(async () => {
    if (!(await verifyPassword(held, current))) {
      door.countFailure(person.email, question.fromAddress)
      throw new Refusal('invalid', 'the current password is not right')
    }
    await changePassword(sql, person.id, { checkedHash: held, next, keptSession: sessionId })
  }, true)
  return done
}
