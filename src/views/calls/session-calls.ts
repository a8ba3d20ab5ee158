// The calls of the console about who is signed in: getting in and out, the password, the sessions. Under `/console`.
import { Type } from '../../formats/json-schema.ts'
import { limits } from '../../limits.ts'
import type { AssertionRequest } from '../shapes/factors.ts'
import type { SessionRow, SessionView, SetUpLook, UnsubscribeLook } from '../shapes/session.ts'
import { answers, type Calls, closed, nothing, type Sent } from './call.ts'
import { assertionBody } from './factor-calls.ts'

const emailText = Type.String({ minLength: 1, maxLength: limits.emailLength })
const passwordText = Type.String({ minLength: 1, maxLength: limits.maximumPasswordLength })
const unsubscribeText = Type.String({ minLength: 1, maxLength: 1_000 })
const tokenText = Type.String({ minLength: 1, maxLength: 100 })

const signInBody = Type.Object(
  {
    email: emailText,
    password: passwordText,
    code: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    passkey: Type.Optional(assertionBody),
  },
  closed,
)
export type SignInRequest = Sent<typeof signInBody>

const setUpBody = Type.Object(
  {
    token: tokenText,
    password: passwordText,
    /**
     * The person says that they have an account: then it is refused if no account with this address has this password.
     */
    isMember: Type.Optional(Type.Boolean()),
  },
  closed,
)

export const sessionCalls = {
  /** 401 where nobody is signed in. */
  'GET /session': { answer: answers<SessionView>() },
  /**
   * 401 where it is wrong, and where a second factor is missing: then `needs` says which, and everything is sent again
   * with a code or a passkey.
   */
  'POST /sign-in': { body: signInBody, answer: answers<SessionView>() },
  'POST /sign-in/passkey/begin': { answer: answers<AssertionRequest>() },
  'POST /sign-in/passkey': { body: Type.Object({ passkey: assertionBody }, closed), answer: answers<SessionView>() },
  'POST /sign-out': { answer: nothing },
  /** Whose link it is. 404 where it is unknown, used or too old. */
  'POST /set-up/look': { body: Type.Object({ token: tokenText }, closed), answer: answers<SetUpLook>() },
  /** Joins the workspace, with the password of an existing account, or with a new account that gets this password. */
  'POST /set-up': { body: setUpBody, answer: answers<SessionView>() },
  /** What an unsubscribe link is about. 404 for one that is not ours. */
  'POST /unsubscribe/look': {
    body: Type.Object({ token: unsubscribeText }, closed),
    answer: answers<UnsubscribeLook>(),
  },
  /** By a page, or by a mail program in one click: only the link counts. */
  'POST /unsubscribe': { query: Type.Object({ t: unsubscribeText }, closed), answer: nothing },
  /** Somebody opens the address that is meant for mail programs: 303 to the page. */
  'GET /unsubscribe': { query: Type.Object({ t: unsubscribeText }, closed), answer: nothing },
  /** Every other session of this person ends. */
  'POST /password': { body: Type.Object({ current: passwordText, next: passwordText }, closed), answer: nothing },
  'GET /sessions': { answer: answers<readonly SessionRow[]>() },
  /** All but this one. */
  'DELETE /sessions': { answer: nothing },
  'DELETE /sessions/:id': { answer: nothing },
} satisfies Calls
