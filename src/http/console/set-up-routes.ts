// The routes of the one-time link: whose it is, and joining the workspace with it. Nobody needs a session for them.
import Type, { type Static } from 'typebox'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { findSetUpLink, findSignIn, redeemSetUpLink } from '../../storage/people.ts'
import { type ConsoleAnswer, type ConsoleParts, ok } from './route.ts'
import { begin, type PublicQuestion, type PublicRoute, refusePlainHttp } from './session-routes.ts'
import type { SignInDoor } from './sign-in.ts'
import type { SetUpLook } from './wire/session.ts'

const closed = { additionalProperties: false }
const passwordText = Type.String({ minLength: 1, maxLength: limits.maximumPasswordLength })
const tokenText = Type.String({ minLength: 1, maxLength: 100 })

const lookBody = Type.Object({ token: tokenText }, closed)
const setUpBody = Type.Object({ token: tokenText, password: passwordText }, closed)

export function setUpRoutes(parts: ConsoleParts, door: SignInDoor): readonly PublicRoute[] {
  const { sql } = parts.installation
  return [
    {
      method: 'POST',
      path: '/set-up/look',
      body: lookBody,
      async answer({ body }) {
        const { token } = body as Static<typeof lookBody>
        const link = await findSetUpLink(sql, token, parts.now())
        if (link === null) throw new Refusal('not-found', 'this link was used already or is too old; ask for a new one')
        const look: SetUpLook = { email: link.email, hasPassword: link.passwordHash !== null }
        return ok(look)
      },
    },
    { method: 'POST', path: '/set-up', body: setUpBody, answer: question => setUp(parts, door, question) },
  ]
}

async function setUp(parts: ConsoleParts, door: SignInDoor, question: PublicQuestion): Promise<ConsoleAnswer> {
  refusePlainHttp(question)
  const { sql } = parts.installation
  const { fromAddress } = question
  const { token, password } = question.body as Static<typeof setUpBody>
  const link = await findSetUpLink(sql, token, parts.now())
  if (link !== null) door.refuseTooMany(link.email, fromAddress, true)
  const redeemed = await door.workOut(() => redeemSetUpLink(sql, token, password, parts.now(), fromAddress), true)
  if (redeemed.kind === 'wrong-password') {
    door.countFailure(redeemed.email, fromAddress)
    throw new Refusal('invalid', `${redeemed.email} has a password already, and this is not it; enter that one to join`)
  }
  const person = await findSignIn(sql, link!.email)
  return begin(parts, question, { id: person!.id, name: person!.name, email: person!.email }, redeemed.passwordHash)
}
