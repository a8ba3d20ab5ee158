// Routes of the one-time link: its owner, and joining the workspace with it. Nobody needs a session for them.
import { Refusal } from '../../../core/refusal.ts'
import type { Identity } from '../../../identity/identity-connections.ts'
import { findProviderForLink } from '../../../storage/identity/providers.ts'
import { findAccount, findOpenLink, findSetUpLink, linkGone, redeemSetUpLink } from '../../../storage/people/people.ts'
import type { SessionView } from '../../../views/shapes/session.ts'
import { DetailedRefusal } from '../../../views/sight/detailed-refusal.ts'
import { groupOf } from '../../traffic/failed-attempts.ts'
import {
  type PublicRequest,
  type PublicRequestOf,
  type PublicRoute,
  publicRoute as route,
} from '../frame/public-route.ts'
import type { ConsoleAnswer, ConsoleParts } from '../frame/route.ts'
import { wayInOf } from './identity-routes.ts'
import { FactorDesk } from './second-factor.ts'
import { begin, refusePlainHttp } from './session-routes.ts'
import type { SignInGuard } from './sign-in.ts'
import { tellingRefused } from './sign-in-acts.ts'

export function setUpRoutes(
  parts: ConsoleParts,
  guard: SignInGuard,
  { secrets }: Pick<Identity, 'secrets'>,
): readonly PublicRoute[] {
  const { sql } = parts.installation
  return [
    route('POST /set-up/look', {
      isOpen: true,
      async answer({ body }) {
        const link = await findOpenLink(sql, body.token, parts.now())
        if (link === null) throw linkGone()
        const provider = await findProviderForLink(sql, link, secrets)
        const wayIn = provider === null ? null : wayInOf(provider)
        return { email: link.email, workspace: link.workspaceName, wayIn }
      },
    }),
    route('POST /set-up', { isOpen: true, answer: request => setUp(parts, guard, request) }),
  ]
}

async function setUp(
  parts: ConsoleParts,
  guard: SignInGuard,
  request: PublicRequestOf<'POST /set-up'>,
): Promise<ConsoleAnswer<SessionView>> {
  refusePlainHttp(request)
  const { sql } = parts.installation
  const { fromAddress } = request
  const { token, password, isMember = false } = request.body
  const link = await findSetUpLink(sql, token, parts.now())
  if (link === null) throw linkGone()
  const redeeming = { fromAddress, isMember }
  const redeem = () => redeemSetUpLink(sql, token, password, parts.now(), redeeming)
  // Each attempt may be a guess at the password of an account, so it is counted whether the account exists or not.
  const trying = { sql, email: link.email, fromAddress, said: 'joining by a link refused', kind: 'invalid' } as const
  const joined = await tellingRefused(trying, async () => {
    const entered = await guard.byLink(link.email, fromAddress, () =>
      guard.workOut(redeem, true, groupOf(fromAddress)).catch(refusalOf),
    )
    if (entered instanceof Refusal) throw entered
    return entered
  })
  const { id, name, email } = (await findAccount(sql, joined.personId))!
  await needNoMore(new FactorDesk(parts), id, request)
  return begin(parts, request, { id, name, email }, joined.passwordHash)
}

/** A wrong or impossible password counts as a guess; any other error does not. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal && error.kind === 'invalid') return error
  throw error
}

/** The link with a password gives no more access than the password alone. */
async function needNoMore(desk: FactorDesk, personId: string, { ours }: Pick<PublicRequest, 'ours'>): Promise<void> {
  await desk.isPassed(personId, {}, ours.origin).catch(error => {
    if (!(error instanceof DetailedRefusal)) throw error
    throw new Refusal('not-signed-in', 'you have joined; sign in with your second factor to continue')
  })
}
