// Console calls about the signed-in person: sign-in and sign-out, the password, the sessions. Under `/console`.
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
    /** True where the person says that they have an account: refused if no account with this address has this password. */
    isMember: Type.Optional(Type.Boolean()),
  },
  closed,
)

export const sessionCalls = {
  /** 401 where nobody is signed in. */
  'GET /session': { answer: answers<SessionView>() },
  /**
   * 401 where the password is wrong, and where a second factor is missing: `needs` then names it, and everything is sent again with
   * a code or a passkey.
   */
  'POST /sign-in': { body: signInBody, answer: answers<SessionView>() },
  'POST /sign-in/passkey/begin': { answer: answers<AssertionRequest>() },
  'POST /sign-in/passkey': { body: Type.Object({ passkey: assertionBody }, closed), answer: answers<SessionView>() },
  'POST /sign-out': { answer: nothing },
  /** Owner of a link. 404 where it is unknown, used or too old. */
  'POST /set-up/look': { body: Type.Object({ token: tokenText }, closed), answer: answers<SetUpLook>() },
  /** Joins the workspace, with the password of an existing account, or with a new account that gets this password. */
  'POST /set-up': { body: setUpBody, answer: answers<SessionView>() },
  /** Subject of an unsubscribe link. 404 for a link of another site. */
  'POST /unsubscribe/look': {
    body: Type.Object({ token: unsubscribeText }, closed),
    answer: answers<UnsubscribeLook>(),
  },
  /** Called by a page, or by a mail program in one click: only the link counts. */
  'POST /unsubscribe': { query: Type.Object({ t: unsubscribeText }, closed), answer: nothing },
  /** For a person who opens the address meant for mail programs: 303 to the page. */
  'GET /unsubscribe': { query: Type.Object({ t: unsubscribeText }, closed), answer: nothing },
  /** Ends every other session of this person. */
  'POST /password': { body: Type.Object({ current: passwordText, next: passwordText }, closed), answer: nothing },
  'GET /sessions': { answer: answers<readonly SessionRow[]>() },
  /** Ends all sessions but this one. */
  'DELETE /sessions': { answer: nothing },
  'DELETE /sessions/:id': { answer: nothing },
} satisfies Calls
