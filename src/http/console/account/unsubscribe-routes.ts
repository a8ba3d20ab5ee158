// Routes of the unsubscribe link in mails: its subject, and the act itself, by the page or by a mail program in one click (RFC
// 8058). Nobody needs a session: the token says everything, and only this server can make one. Opening the link changes nothing,
// because programs open links too.
import { Refusal } from '../../../core/refusal.ts'
import { kindsOf, Unsubscribing, type Unsubscription } from '../../../mail/unsubscribe-token.ts'
import { loadMailChoice, muteKinds } from '../../../storage/people/mail.ts'
import { withWorkspace } from '../../../storage/postgres/database.ts'
import { loadWorkspace } from '../../../storage/workspaces/workspaces.ts'
import { type PublicRoute, publicRoute as route } from '../frame/public-route.ts'
import { ConsoleAnswer, type ConsoleParts } from '../frame/route.ts'

export function unsubscribeRoutes({ installation }: ConsoleParts): readonly PublicRoute[] {
  const { sql, ring } = installation
  const unsubscribing = new Unsubscribing(ring)
  const read = (token: string): Unsubscription => {
    const found = unsubscribing.read(token)
    if (found === null)
      throw new Refusal('not-found', 'this link is not from a mail of this installation, or a part of it is missing')
    return found
  }
  return [
    route('POST /unsubscribe/look', {
      isOpen: true,
      async answer({ body }) {
        const found = read(body.token)
        const { workspaceId, email, kind } = found
        const { name } = await loadWorkspace(sql, workspaceId)
        const { muted } = await withWorkspace(sql, workspaceId, tx => loadMailChoice(tx, workspaceId, email))
        return { email, workspace: name, kind, isOff: kindsOf(found).every(each => muted.includes(each)) }
      },
    }),
    route('POST /unsubscribe', {
      isOpen: true,
      isFromAnywhere: true,
      async answer({ query }) {
        const found = read(query.t)
        const { workspaceId, email } = found
        await withWorkspace(sql, workspaceId, tx => muteKinds(tx, workspaceId, email, kindsOf(found)))
      },
    }),
    route('GET /unsubscribe', {
      isOpen: true,
      answer: async ({ query }) => {
        const headers = { location: `/unsubscribe?t=${encodeURIComponent(query.t)}` }
        return new ConsoleAnswer<undefined>({ status: 303, headers })
      },
    }),
  ]
}
