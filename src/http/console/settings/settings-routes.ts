// Console routes about a workspace itself: its name, its activity, and the check of its history.

import { Refusal } from '../../../core/refusal.ts'
import { insiders } from '../../../core/roles.ts'
import { limits } from '../../../limits.ts'
import { publicScope, withWorkspace } from '../../../storage/postgres/database.ts'
import { type ChainReport as Report, verifyChain, wordsOfProblem } from '../../../storage/upkeep/chain.ts'
import { loadQuotas } from '../../../storage/workspaces/quotas.ts'
import { loadWorkspace, renameWorkspace, type Workspace } from '../../../storage/workspaces/workspaces.ts'
import { showActivity } from '../../../views/activity-page.ts'
import type { ChainReport, WorkspacePage } from '../../../views/shapes/settings.ts'
import { actorOf, type Seat } from '../../../views/sight/seat.ts'
import { companyNames } from '../../../views/sight/sides.ts'
import { NotServed, WaitingLine } from '../../../workers/waiting-line.ts'
import { type ConsoleParts, type ConsoleRoute, route } from '../frame/route.ts'
import { companyRoutes } from './company-routes.ts'
import { feedRoutes } from './feed-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { mailRoutes } from './mail-routes.ts'
import { partyRoutes } from './party-routes.ts'
import { peopleRoutes } from './people-routes.ts'
import { providerRoutes } from './provider-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

export function settingsRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { sql } = parts.installation
  // A verification reads everything stored; one at a time is enough.
  const line = new WaitingLine({ atOnce: 1, ...limits.chainWalks })
  return [
    ...keyRoutes(parts),
    ...webhookRoutes(parts),
    ...peopleRoutes(parts),
    ...partyRoutes(parts),
    ...companyRoutes(parts),
    ...mailRoutes(parts),
    ...feedRoutes(parts),
    ...providerRoutes(parts),
    route('GET /workspace', {
      answer: async ({ seat }) => showWorkspace(parts, seat, await loadWorkspace(sql, seat.workspace.id)),
    }),
    route('PATCH /workspace', {
      roles: ['owner'],
      async answer({ seat, body }) {
        const renamed = await renameWorkspace(sql, seat.workspace.id, body.name.trim(), actorOf(seat))
        return showWorkspace(parts, seat, renamed)
      },
    }),
    route('GET /activity', {
      roles: insiders,
      answer: ({ seat, query }) => showActivity(parts, seat, query),
    }),
    route('POST /chain/verify', {
      roles: insiders,
      async answer({ seat }) {
        const walk = async () => {
          const own = await verifyChain(sql, seat.workspace.id)
          const shared = await verifyChain(sql, publicScope)
          const report: ChainReport = { chains: [chainOf('workspace', own), chainOf('public', shared)] }
          return report
        }
        return line.run(walk, false).catch(error => {
          if (error instanceof NotServed) throw new Refusal('unavailable', 'others are verifying; try again in a while')
          throw error
        })
      },
    }),
  ]
}

/** The workspace page. Suppliers do not see its quantities: they would reveal how many contracts others have. */
async function showWorkspace(parts: ConsoleParts, seat: Seat, workspace: Workspace): Promise<WorkspacePage> {
  const { installation, library } = parts
  const { role, company } = seat
  const nameOf = companyNames(await library.index(workspace.id, {}))
  const me = { role, party: company === null ? null : { slug: company, name: nameOf(company) } }
  if (role === 'supplier') return { ...workspace, me, quotas: [] }
  const { quotas } = await withWorkspace(installation.sql, workspace.id, tx => loadQuotas(tx, workspace.id))
  return { ...workspace, me, quotas }
}

function chainOf(
  scope: 'workspace' | 'public',
  { publications: entries, root, problem }: Report,
): ChainReport['chains'][number] {
  const words = problem === null ? null : wordsOfProblem(problem)
  return { scope, publications: entries, isWhole: problem === null, problem: words, root: entries === 0 ? null : root }
}
