// Console routes about revisions, corrections and ledgers. `agreements` makes the changes; these routes check who may make them.
import { proposeCorrection, refuseCorrection, signCorrection, waiveCorrection } from '../../../agreements/correct.ts'
import { noteCorrection } from '../../../agreements/correction-note.ts'
import { whyNotAs } from '../../../agreements/parties.ts'
import { nothingSaid } from '../../../core/billing/note-details.ts'
import { Refusal } from '../../../core/refusal.ts'
import { parseDay } from '../../../core/time/day.ts'
import { formatNote } from '../../../formats/notes/note-file.ts'
import { openAgreement } from '../../../views/agreements/opened-agreement.ts'
import { partyOf } from '../../../views/agreements/signing-view.ts'
import type { ProposedMany } from '../../../views/shapes/true-up.ts'
import { actorOf, type Seat } from '../../../views/sight/seat.ts'
import { hearerOf, signatoryOf } from '../../../views/sight/visibility.ts'
import {
  mayManage,
  openCorrection,
  showCorrectionPage,
  showCorrectionReceipt,
  showLedger,
} from '../../../views/true-up/correction-page.ts'
import { listDue } from '../../../views/true-up/due-corrections.ts'
import { showLedgers } from '../../../views/true-up/ledgers.ts'
import { fileOf, showNoteFile, showNoteSheet } from '../../../views/true-up/note-view.ts'
import { markSeen, showRevisions } from '../../../views/true-up/revisions.ts'
import { prove, proveMany } from '../agreements/signing.ts'
import { withSlips } from '../agreements/slips.ts'
import {
  type ConsoleParts,
  type ConsoleRequestOf,
  type ConsoleRoute,
  created,
  download,
  route,
} from '../frame/route.ts'

export function trueUpRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { sql } = parts.installation
  const { seal } = parts
  const page = (seat: Seat, id: string) => showCorrectionPage(parts, seat, id)
  return [
    route('GET /revisions', { answer: ({ seat, query }) => showRevisions(parts, seat, query) }),
    route('GET /revisions/due', { answer: ({ seat, query }) => listDue(parts, seat, query) }),
    route('POST /revisions/propose', {
      isUnproven: true,
      answer: request => withSlips(parts, request.seat, () => proposeMany(parts, request)),
    }),
    route('GET /ledgers', { answer: ({ seat }) => showLedgers(parts, seat) }),
    route('POST /revisions/seen', {
      answer: ({ seat, body }) => markSeen(parts, seat, body.until),
    }),
    route('GET /agreements/:slug/ledger', {
      answer: ({ seat, params, query }) => showLedger(parts, seat, params.slug, query.knownAt),
    }),
    route('POST /agreements/:slug/corrections', {
      isUnproven: true,
      async answer({ seat, params, body }) {
        const { snapshot, standing } = await openAgreement(parts, seat, params.slug)
        if (!mayManage(seat, standing.state)) throw mayNot()
        const { correction } = await proposeCorrection(sql, seal, proposalOf(parts, seat, snapshot.id, body.reason))
        await parts.catchUp()
        return created({ id: correction.id })
      },
    }),
    route('GET /corrections/:id', { answer: ({ seat, params }) => page(seat, params.id) }),
    route('GET /corrections/:id/receipt', {
      async answer({ seat, params }) {
        const receipt = await showCorrectionReceipt(parts, seat, params.id)
        const name = `${receipt.body.pam}-${params.id}.json`
        return download(name, { body: receipt })
      },
    }),
    route('POST /corrections/:id/sign', {
      answer: request =>
        withSlips(parts, request.seat, async () => {
          await signCorrectionShown(parts, request)
          return page(request.seat, request.params.id)
        }),
    }),
    route('POST /corrections/:id/refuse', {
      async answer({ seat, params, body }) {
        const party = partyOf(seat, await openCorrection(parts, seat, params.id))
        if (party === null)
          throw new Refusal('forbidden', 'only the buyer and the supplier of this agreement refuse a correction')
        await refuseCorrection(sql, seal, {
          workspaceId: seat.workspace.id,
          id: params.id,
          hash: body.hash,
          reason: body.reason,
          party,
          email: seat.person.email,
          means: 'SESSION' as const,
          fromAddress: seat.fromAddress,
          hearer: hearerOf(seat),
        })
        await parts.catchUp()
        return page(seat, params.id)
      },
    }),
    route('POST /corrections/:id/waive', {
      isUnproven: true,
      async answer({ seat, params }) {
        if (partyOf(seat, await openCorrection(parts, seat, params.id)) === null)
          throw new Refusal('forbidden', 'only the buyer and the supplier of this agreement waive a correction')
        const request = { workspaceId: seat.workspace.id, id: params.id, by: actorOf(seat), signer: null }
        const told = { bounds: parts.bounds, hearer: hearerOf(seat) }
        const { id } = await waiveCorrection(sql, seal, { ...request, ...told })
        await parts.catchUp()
        return created({ id })
      },
    }),
    route('POST /corrections/:id/note', { answer: request => issueNote(parts, request) }),
    route('GET /corrections/:id/notes/:part', {
      async answer({ seat, params, query: { form, language = null } }) {
        return showNoteFile(parts, seat, await openCorrection(parts, seat, params.id), { ...params, form, language })
      },
    }),
    route('GET /corrections/:id/notes/:part/sheet', {
      async answer({ seat, params, query: { language = null } }) {
        return showNoteSheet(parts, seat, await openCorrection(parts, seat, params.id), { ...params, language })
      },
    }),
  ]
}

function mayNot(): Refusal {
  return new Refusal('forbidden', 'only the parties and those who manage the workspace do this')
}

/** Proposes for each agreement by itself: a failed one keeps none of the others back. */
export async function proposeMany(
  parts: ConsoleParts,
  { seat, body }: Pick<ConsoleRequestOf<'POST /revisions/propose'>, 'seat' | 'body'>,
): Promise<ProposedMany> {
  const isSigned = body.agreements.some(({ party }) => party !== null)
  const proofOf = isSigned ? await proveMany(parts, seat, body.batch) : null
  const signer = { email: seat.person.email, fromAddress: seat.fromAddress, hearer: hearerOf(seat) }
  const proposed: ProposedMany['proposed'][number][] = []
  const failed: ProposedMany['failed'][number][] = []
  for (const { slug, hash, party, salt } of body.agreements) {
    try {
      const { snapshot, standing } = await openAgreement(parts, seat, slug)
      if (!mayManage(seat, standing.state)) throw mayNot()
      const { correction } = await proposeCorrection(parts.installation.sql, parts.seal, {
        ...proposalOf(parts, seat, snapshot.id, null),
        shown: hash,
        signer: party === null ? null : { ...signer, party, proof: proofOf!(slug, hash, salt) },
      })
      proposed.push({ slug, id: correction.id, state: correction.state })
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
      failed.push({ slug, why: error.message })
    }
  }
  await parts.catchUp()
  return { proposed, failed }
}

function proposalOf({ bounds }: ConsoleParts, seat: Seat, agreement: string, reason: string | null) {
  return {
    workspaceId: seat.workspace.id,
    agreement,
    reason,
    by: actorOf(seat),
    bounds,
    hearer: hearerOf(seat),
    supplier: seat.role === 'supplier' ? signatoryOf(seat) : undefined,
  }
}

export async function signCorrectionShown(
  parts: ConsoleParts,
  {
    seat,
    params,
    body,
    origin,
  }: Pick<ConsoleRequestOf<'POST /corrections/:id/sign'>, 'seat' | 'params' | 'body' | 'origin'>,
): Promise<void> {
  const { parties } = await openCorrection(parts, seat, params.id)
  const whyNot = whyNotAs(body.party, signatoryOf(seat), { parties })
  if (whyNot !== null) throw new Refusal('forbidden', whyNot)
  const { batch, passkey, hash } = body
  const proof =
    batch === undefined
      ? await prove(parts, seat, origin, passkey, hash)
      : (await proveMany(parts, seat, batch.id))(params.id, hash, batch.salt)
  await signCorrection(parts.installation.sql, parts.seal, {
    workspaceId: seat.workspace.id,
    id: params.id,
    hash: body.hash,
    party: body.party,
    email: seat.person.email,
    proof,
    fromAddress: seat.fromAddress,
    bounds: parts.bounds,
    hearer: hearerOf(seat),
  })
  await parts.catchUp()
}

async function issueNote(parts: ConsoleParts, { seat, params, body }: ConsoleRequestOf<'POST /corrections/:id/note'>) {
  const { trueUp, parties } = await openCorrection(parts, seat, params.id)
  if (!mayManage(seat, { parties })) throw mayNot()
  const date = parseDay(body.date)
  if (date === null) throw new Refusal('invalid', `the date must be a day such as 2024-09-01, got "${body.date}"`)
  const { form = 'csv' } = body
  const order = body.order?.trim() ?? ''
  const { number, amount, currency, text } = await noteCorrection(parts.installation.sql, parts.seal, {
    workspaceId: seat.workspace.id,
    id: params.id,
    number: body.number,
    date,
    by: actorOf(seat),
    said: order === '' ? null : { ...nothingSaid, buyer: { order } },
    namesParties: form !== 'csv',
    write: note => formatNote(note, form, null),
  })
  await parts.catchUp()
  return created({ number, amount, currency, text, ...fileOf(trueUp.slug, number, form) })
}
