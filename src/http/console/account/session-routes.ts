// Console routes outside any workspace: the signed-in person, sign-in and sign-out, the password, and the sessions of a person.
import { Refusal } from '../../../core/refusal.ts'
import { shortTitles } from '../../../providers/catalogue/catalogue.ts'
import { listOperators } from '../../../storage/people/operators.ts'
import { changePassword, listMemberships } from '../../../storage/people/people.ts'
import { endOtherSessions, endSession, listSessions, openSession } from '../../../storage/people/sessions.ts'
import { rememberNetwork } from '../../../storage/people/sign-ins.ts'
import type { SessionRow, SessionView } from '../../../views/shapes/session.ts'
import { groupOf } from '../../traffic/failed-attempts.ts'
import { KnownBrowsers } from '../frame/known-browsers.ts'
import { explainPlainHttp } from '../frame/origin-check.ts'
import {
  type PublicRequest,
  type PublicRequestOf,
  type PublicRoute,
  publicRoute as route,
  signedIn,
} from '../frame/public-route.ts'
import { ConsoleAnswer, type ConsoleParts } from '../frame/route.ts'
import { endSessionCookie, formatSessionCookie } from '../frame/session-cookie.ts'
import { factorRoutes } from './factor-routes.ts'
import { FactorDesk } from './second-factor.ts'
import { checkPasswordAgain, type SignInGuard } from './sign-in.ts'
import { tellingRefused, tellOwn } from './sign-in-acts.ts'

export function publicRoutes(parts: ConsoleParts, guard: SignInGuard): readonly PublicRoute[] {
  const { sql } = parts.installation
  const desk = new FactorDesk(parts)
  return [
    ...factorRoutes(parts, guard, desk),
    route('GET /session', {
      async answer(request) {
        const { person, identityLink } = signedIn(request)
        return viewOf(parts, person, identityLink !== null)
      },
    }),
    route('POST /sign-in', { isOpen: true, answer: request => signIn(parts, guard, desk, request) }),
    route('POST /sign-in/passkey/begin', {
      isOpen: true,
      answer: ({ ours }) => desk.request({ purpose: 'sign-in', to: '' }, [], ours.origin),
    }),
    route('POST /sign-in/passkey', {
      isOpen: true,
      answer: request => signInByPasskey(parts, guard, desk, request),
    }),
    route('POST /sign-out', {
      isOpen: true,
      async answer({ holder, fromAddress }) {
        if (holder !== null) {
          await endSession(sql, holder.person.id, holder.sessionId).catch(ignoreEnded)
          await tellOwn(sql, holder.person, fromAddress, { act: 'sign-out', said: 'signed out' })
        }
        return new ConsoleAnswer<undefined>({ cookies: [endSessionCookie()] })
      },
    }),
    route('POST /password', { answer: request => change(parts, guard, request) }),
    route('GET /sessions', {
      async answer(request) {
        const { person, sessionId } = signedIn(request)
        const sessions = await listSessions(sql, person.id)
        return sessions.map((session): SessionRow => ({ ...session, isThis: session.id === sessionId }))
      },
    }),
    route('DELETE /sessions', {
      async answer(request) {
        const { person, sessionId } = signedIn(request)
        await endOtherSessions(sql, person.id, sessionId)
        await tellOwn(sql, person, request.fromAddress, { act: 'session.end', said: 'ended all other sessions' })
      },
    }),
    route('DELETE /sessions/:id', {
      async answer(request) {
        const { person, sessionId } = signedIn(request)
        const { id } = request.params
        await endSession(sql, person.id, id)
        await tellOwn(sql, person, request.fromAddress, { act: 'session.end', said: `ended the session ${id}` })
        return id === sessionId ? new ConsoleAnswer<undefined>({ cookies: [endSessionCookie()] }) : undefined
      },
    }),
  ]
}

/** Ending a session that has just ended is not an error. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof Refusal && error.kind === 'not-found')) throw error
}

async function viewOf(
  { installation }: ConsoleParts,
  person: SessionView['person'],
  isByProvider: boolean,
): Promise<SessionView> {
  const memberships = await listMemberships(installation.sql, person.id)
  const isOperator =
    !isByProvider && (await listOperators(installation.sql)).some(({ personId }) => personId === person.id)
  const workspaces = memberships.map(({ slug, name, role }) => ({ slug, name, role }))
  return { person, isOperator, isByProvider, workspaces, providerNames: shortTitles }
}

async function signIn(
  parts: ConsoleParts,
  guard: SignInGuard,
  desk: FactorDesk,
  request: PublicRequestOf<'POST /sign-in'>,
): Promise<ConsoleAnswer<SessionView>> {
  refusePlainHttp(request)
  const { email, password, ...second } = request.body
  const browserOf = new KnownBrowsers(parts.installation.ring).personOf(request.knownBrowser)
  const entering = { email, password, address: request.fromAddress, browserOf }
  const trying = { sql: parts.installation.sql, email, fromAddress: request.fromAddress, said: 'sign-in refused' }
  const person = await tellingRefused(trying, () =>
    guard.recognise(entering, ({ id }) => desk.isPassed(id, second, request.ours.origin)),
  )
  return begin(parts, request, { id: person.id, name: person.name, email: person.email }, person.passwordHash)
}

async function signInByPasskey(
  parts: ConsoleParts,
  guard: SignInGuard,
  desk: FactorDesk,
  request: PublicRequestOf<'POST /sign-in/passkey'>,
): Promise<ConsoleAnswer<SessionView>> {
  refusePlainHttp(request)
  const { passkey } = request.body
  const { fromAddress } = request
  const trying = { sql: parts.installation.sql, email: null, fromAddress, said: 'sign-in by passkey refused' }
  const person = await tellingRefused(trying, () =>
    guard.byPasskey({ credentialId: passkey.id, address: fromAddress }, () =>
      desk.recognise(passkey, request.ours.origin),
    ),
  )
  return begin(parts, request, { id: person.id, name: person.name, email: person.email }, person.passwordHash!)
}

export async function begin(
  parts: ConsoleParts,
  request: Pick<PublicRequest, 'holder' | 'fromAddress' | 'userAgent'>,
  person: SessionView['person'],
  passwordHash: string,
): Promise<ConsoleAnswer<SessionView>> {
  const { fromAddress, userAgent } = request
  const opening = { personId: person.id, passwordHash, fromAddress, userAgent }
  const { session, cookies } = await keepSession(
    parts,
    request,
    person,
    await openSession(parts.installation.sql, opening),
    false,
  )
  return new ConsoleAnswer({ body: session, cookies })
}

/** Opens a session with a new token; the previous one of this browser ends. `token`: null where none was opened. */
export async function keepSession(
  parts: ConsoleParts,
  { holder, fromAddress }: Pick<PublicRequest, 'holder' | 'fromAddress'>,
  person: SessionView['person'],
  token: string | null,
  isByProvider: boolean,
): Promise<{ readonly session: SessionView; readonly cookies: readonly string[] }> {
  const { sql, ring } = parts.installation
  if (token === null)
    throw new Refusal('not-signed-in', 'the password was changed at this moment; sign in with the new one')
  if (holder !== null) await endSession(sql, holder.person.id, holder.sessionId).catch(ignoreEnded)
  await rememberNetwork(sql, person.id, groupOf(fromAddress))
  const said = isByProvider ? 'signed in by the identity provider' : 'signed in'
  await tellOwn(sql, person, fromAddress, { act: 'sign-in', said })
  const known = new KnownBrowsers(ring).write(person.id)
  return { session: await viewOf(parts, person, isByProvider), cookies: [formatSessionCookie(token), known] }
}

export function refusePlainHttp({ ours }: Pick<PublicRequest, 'ours'>): void {
  if (!ours.keepsSignIn) throw new Refusal('forbidden', explainPlainHttp(ours))
}

async function change(
  parts: ConsoleParts,
  guard: SignInGuard,
  request: PublicRequestOf<'POST /password'>,
): Promise<undefined> {
  const holder = signedIn(request)
  const { sql } = parts.installation
  const { current, next } = request.body
  const checkedHash = await checkPasswordAgain(parts, guard, holder, current)
  const change = { checkedHash, next, keptSession: holder.sessionId }
  await guard.workOut(() => changePassword(sql, holder.person.id, change), true, holder.person.id)
  await tellOwn(sql, holder.person, request.fromAddress, { act: 'password.change', said: 'changed the password' })
}
