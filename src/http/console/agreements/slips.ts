// Slips of signatures: part of the answer to every signature, and available later to everybody who sees it.
import { answerSlips } from '../../../agreements/answered-slips.ts'
import { Refusal } from '../../../core/refusal.ts'
import { makeAnnouncementProofs } from '../../../storage/proof/announcements.ts'
import { loadSignaturesSince } from '../../../storage/proof/slip-entries.ts'
import { makeSlips } from '../../../storage/proof/slips.ts'
import { openAgreement } from '../../../views/agreements/opened-agreement.ts'
import { openTermsChange } from '../../../views/agreements/terms-changes.ts'
import { showLogGrowth } from '../../../views/log-growth.ts'
import { showProof } from '../../../views/proof.ts'
import type { SlipsView, WithSlips } from '../../../views/shapes/signatures.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import { openCorrection } from '../../../views/true-up/correction-page.ts'
import { type ConsoleParts, type ConsoleRoute, route } from '../frame/route.ts'

/** Answers with the slips of this person's signatures made by `work`, beside its own answer. */
export async function withSlips<T extends object>(
  parts: ConsoleParts,
  seat: Seat,
  work: () => Promise<T>,
): Promise<T & WithSlips> {
  const { log, now } = parts
  const whose = { workspaceId: seat.workspace.id, personId: seat.person.id }
  const { value, slips } = await answerSlips({ sql: parts.installation.sql, log }, whose, work)
  const name = `slips-${seat.workspace.slug}-${now().slice(0, 19).replaceAll(':', '')}.txt`
  return { ...value, slips: viewOf(slips, name) }
}

function viewOf(
  { slips, checkpoint, missing }: Awaited<ReturnType<typeof answerSlips>>['slips'],
  name: string,
): SlipsView {
  const file = slips.length === 0 ? null : { name, text: slips.join('') }
  return { file, count: slips.length, checkpoint, missing }
}

/** A signature that somebody sees. */
interface SeenSignature {
  readonly seq: number
  readonly given: { readonly personId: string | null }
}

export function slipRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const again = async (seat: Seat, name: string, signatures: readonly SeenSignature[]): Promise<SlipsView> => {
    const { log, installation } = parts
    if (signatures.length === 0) throw new Refusal('not-found', 'nothing was signed here that you see')
    // A signature of somebody else is proven by its hash alone: the content names the place it was made from.
    const wanted = signatures.map(({ seq, given }) => ({ seq, hasContent: given.personId === seat.person.id }))
    const { stopped } = await log.advance(seat.workspace.id)
    const slips = await makeSlips(installation.sql, log.keys, seat.workspace.id, wanted).catch(error => {
      throw stopped === null ? error : new Refusal('unavailable', stopped)
    })
    const announced = await makeAnnouncementProofs(installation.sql, seat.workspace.id)
    return {
      ...viewOf({ slips: [...slips, ...announced], checkpoint: null, missing: null }, `${name}.txt`),
      count: slips.length,
    }
  }
  return [
    route('GET /proof', {
      answer: ({ seat }) => showProof(parts, seat),
    }),
    route('GET /proof/slips', {
      async answer({ seat }) {
        const { workspace, person } = seat
        const seqs = await loadSignaturesSince(parts.installation.sql, workspace.id, 0, person.id)
        const own = seqs.map(seq => ({ seq, given: { personId: person.id } }))
        return again(seat, `slips-${workspace.slug}`, own)
      },
    }),
    route('GET /log/consistency', {
      answer: ({ query }) => showLogGrowth(parts, query.from, query.origin ?? null),
    }),
    route('GET /agreements/:slug/periods/:period/slip', {
      async answer({ seat, params }) {
        const { snapshot } = await openAgreement(parts, seat, params.slug)
        const own = snapshot.kept.signOffs.filter(({ period }) => period === params.period)
        return again(seat, `slip-${params.slug}-${params.period}`, own)
      },
    }),
    route('GET /corrections/:id/slip', {
      async answer({ seat, params }) {
        const { kept } = await openCorrection(parts, seat, params.id)
        return again(seat, `slip-${params.id}`, kept.signatures)
      },
    }),
    route('GET /terms-changes/:id/slip', {
      async answer({ seat, params }) {
        const { change } = await openTermsChange(parts, seat, params.id)
        return again(seat, `slip-${params.id}`, change.signatures)
      },
    }),
  ]
}
