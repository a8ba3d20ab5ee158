// Console routes about agreements: lists, pages, trials and saving of documents, signatures.
import { writers } from '../../../core/roles.ts'
import { limits } from '../../../limits.ts'
import { showAdjustment, showReceipt } from '../../../views/agreements/adjustment-page.ts'
import { listAgreements, listSlugs } from '../../../views/agreements/agreement-list.ts'
import { listSeriesRead } from '../../../views/agreements/agreement-order.ts'
import { showAgreement } from '../../../views/agreements/agreement-page.ts'
import { showPrices } from '../../../views/agreements/agreement-prices.ts'
import { saveFormula } from '../../../views/agreements/agreement-saving.ts'
import { listInbox, listInboxPart } from '../../../views/agreements/inbox/inbox.ts'
import { listRecentlySigned } from '../../../views/agreements/inbox/recent.ts'
import { showToSign } from '../../../views/agreements/inbox/signing-list.ts'
import { Trials } from '../../../views/agreements/preview.ts'
import { makePriceFile } from '../../../views/agreements/price-file.ts'
import { keepLook, showHistory, showMoments } from '../../../views/agreements/proposal-history.ts'
import { listVersions, showWords } from '../../../views/agreements/versions.ts'
import { countWhatWaits } from '../../../views/agreements/waiting-counts.ts'
import type { AnswerOf } from '../../../views/calls/call.ts'
import type { WorkspaceCalls } from '../../../views/calls/calls.ts'
import { listDueRows, showDue } from '../../../views/due.ts'
import { makeEvidence } from '../../../views/evidence/evidence.ts'
import { showOverview } from '../../../views/overview.ts'
import { find } from '../../../views/search.ts'
import { readCut } from '../../../views/sight/cut.ts'
import { listKeptInvoices, showKeptLine } from '../../../views/true-up/stored-invoices.ts'
import {
  type ConsoleParts,
  type ConsoleRequest,
  type ConsoleRequestOf,
  type ConsoleRoute,
  created,
  download,
  type Returned,
  route,
} from '../frame/route.ts'
import { WorkspaceLines } from '../frame/workspace-lines.ts'
import { takeImport } from './imports/import-file.ts'
import { objectionRoutes } from './objection-routes.ts'
import { openBatch, sign, signMany } from './signing.ts'
import { withSlips } from './slips.ts'

export function agreementRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const trials = new Trials(parts)
  const lines = new WorkspaceLines(limits.lists)
  const list = <N extends keyof WorkspaceCalls>(
    name: N,
    make: (request: ConsoleRequestOf<N>) => Promise<Returned<AnswerOf<WorkspaceCalls[N]>>>,
  ) =>
    route(name, {
      answer: request => lines.run(request.seat.workspace.id, () => make(request)),
    })
  return [
    list('GET /overview', ({ seat }) => showOverview(parts, seat)),
    list('GET /due', ({ seat, query }) => showDue(parts, seat, query)),
    list('GET /due/rows', ({ seat, query }) => listDueRows(parts, seat, query)),
    list('GET /sign-offs', ({ seat, query }) => listInbox(parts, seat, query)),
    list('GET /sign-offs/count', ({ seat }) => countWhatWaits(parts, seat)),
    list('GET /sign-offs/waiting', ({ seat, query }) => listInboxPart(parts, seat, query)),
    list('GET /sign-offs/recent', ({ seat, query }) => listRecentlySigned(parts, seat, query)),
    route('POST /sign-offs/to-sign', {
      changesNothing: true,
      answer: ({ seat, body }) => lines.run(seat.workspace.id, () => showToSign(parts, seat, body)),
    }),
    route('POST /sign-offs/batch', { answer: request => openBatch(parts, request) }),
    route('POST /sign-offs/sign', {
      answer: request => withSlips(parts, request.seat, () => signMany(parts, request)),
    }),
    list('GET /agreements', ({ seat, query }) => listAgreements(parts, seat, query)),
    route('GET /series-read', { answer: ({ seat }) => listSeriesRead(parts, seat) }),
    route('GET /slugs', { answer: ({ seat }) => listSlugs(parts, seat) }),
    route('GET /find', { answer: ({ seat, query }) => find(parts, seat, query.q ?? '') }),
    route('POST /agreements', {
      isUnproven: true,
      roles: writers,
      answer: async ({ seat, body }) => created(await saveFormula(parts, seat, body)),
    }),
    route('POST /agreements/preview', {
      isUnproven: true,
      changesNothing: true,
      answer: ({ seat, body }) => trials.preview(seat, body),
    }),
    route('POST /agreements/compare', {
      isUnproven: true,
      changesNothing: true,
      answer: ({ seat, body }) => trials.compare(seat, body.text),
    }),
    route('GET /agreements/:slug', {
      answer: ({ seat, params, query }) => showAgreement(parts, seat, params.slug, readCut(query, parts)),
    }),
    route('GET /agreements/:slug/moments', {
      answer: ({ seat, params }) => showMoments(parts, seat, params.slug),
    }),
    route('GET /agreements/:slug/versions/:version/words', {
      answer: ({ seat, params }) => showWords(parts, seat, params.slug, params.version),
    }),
    route('GET /agreements/:slug/versions', {
      isUnproven: true,
      answer: ({ seat, params }) => listVersions(parts, seat, params.slug),
    }),
    route('GET /agreements/:slug/prices', {
      answer: ({ seat, params, query }) => showPrices(parts, seat, params.slug, query.date),
    }),
    route('GET /price-file', { answer: ({ seat, query }) => makePriceFile(parts, seat, query) }),
    route('GET /invoices', { answer: ({ seat, query }) => listKeptInvoices(parts, seat, query) }),
    route('GET /invoices/:id', {
      isUnproven: true,
      answer: ({ seat, params }) => showKeptLine(parts, seat, params.id),
    }),
    route('POST /import', { takes: 'file', answer: request => takeImport(parts, request) }),
    route('GET /agreements/:slug/evidence', {
      isUnproven: true,
      async answer({ seat, params, query }) {
        const { name, bytes } = await makeEvidence(parts, seat, params.slug, query)
        return download(name, { bytes, type: 'application/zip' })
      },
    }),
    ...periodRoutes(parts),
    ...objectionRoutes(parts, trials),
  ]
}

function periodRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  type Asking = Pick<ConsoleRequest, 'seat'> & { readonly params: { readonly slug: string; readonly period: string } }
  const page = ({ seat, params }: Asking) => showAdjustment(parts, seat, params.slug, params.period)
  return [
    route('GET /agreements/:slug/periods/:period', {
      answer: ({ seat, params, query }) =>
        showAdjustment(parts, seat, params.slug, params.period, readCut(query, parts)),
    }),
    route('GET /agreements/:slug/periods/:period/history', {
      answer: ({ seat, params }) => showHistory(parts, seat, params.slug, params.period),
    }),
    route('POST /agreements/:slug/periods/:period/look', {
      answer: ({ seat, params, body }) => keepLook(parts, seat, params.slug, params.period, body.hash),
    }),
    route('GET /agreements/:slug/periods/:period/receipt', {
      async answer({ seat, params }) {
        const receipt = await showReceipt(parts, seat, params.slug, params.period)
        const name = `receipt-${receipt.body.pam}-${receipt.body.period}.json`
        return download(name, { body: receipt })
      },
    }),
    route('POST /agreements/:slug/periods/:period/sign', {
      answer: request =>
        withSlips(parts, request.seat, async () => {
          await sign(parts, request)
          return page(request)
        }),
    }),
  ]
}
