// Fills a demo with as many agreements as are wanted, as a year of work would: applied, signed, billed, then revised figures and
// corrections in every state. Existing agreements are found again, so interrupted work is completed.
import { applyDocuments } from '../../agreements/apply.ts'
import { proposeCorrection, signCorrection } from '../../agreements/correct.ts'
import { importLines } from '../../agreements/invoices.ts'
import { objectToPeriod } from '../../agreements/object.ts'
import { type SignRequest, signEach } from '../../agreements/sign.ts'
import { type InvoiceLine, readLine } from '../../core/invoices/invoice-line.ts'
import type { Party } from '../../core/parties.ts'
import { normalForm } from '../../core/prices/line-identity.ts'
import { Refusal } from '../../core/refusal.ts'
import { parseDay } from '../../core/time/day.ts'
import { dayOfInstant, type Instant, startOfDay } from '../../core/time/instant.ts'
import { Library } from '../../read/library.ts'
import { loadAgreementSummaries } from '../../storage/agreements/agreement-lists.ts'
import { loadAgreementHistory } from '../../storage/agreements/agreements.ts'
import { loadStandingLines } from '../../storage/agreements/invoices.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { gatherParties } from '../content.ts'
import { buyer, demoParties, owner, portfolioParties } from '../people.ts'
import { type DemoWorkspace, newestOf, publishUntil } from '../publish.ts'
import { type PlannedAgreement, planAgreement } from './plan.ts'
import { portfolioSeries } from './series.ts'

const memoryBytes = 256 * 1024 * 1024
/** Agreements that are stored in one act. */
const together = 50

/** The day up to which the parties knew the figures when they last signed. */
const lastSigning = startOfDay(parseDay('2026-07-20')!)
/** Day that the figures reach at least. */
export const newestOfPortfolio = newestOf(portfolioSeries(dayOfInstant(lastSigning)))
const today = dayOfInstant(newestOfPortfolio)

/** Days on which something was billed, of every agreement. */
const billingDays = ['2025-11-20', '2026-02-19', '2026-05-21', '2026-07-16', '2026-08-20']

const companies = [...demoParties, ...portfolioParties]

/** Progress report: how many are done, of how many. */
export type OnProgress = (done: number, of: number) => void

/** Fills until the workspace has `wanted` agreements. */
export async function fillPortfolio(
  ground: DemoWorkspace,
  now: Instant,
  wanted: number,
  onProgress: OnProgress,
): Promise<void> {
  const { sql, workspaceId } = ground
  const there = await withWorkspace(sql, workspaceId, tx => loadAgreementSummaries(tx, workspaceId))
  const slugs = new Set(there.map(({ slug }) => slug))
  const plans: PlannedAgreement[] = []
  // Existing agreements are planned again: the last start may not have finished them.
  for (let place = 0, count = there.length; ; place++) {
    const plan = planAgreement(place)
    const isThere = slugs.has(plan.slug)
    if (!isThere && count >= wanted) break
    if (!isThere) count++
    plans.push(plan)
  }
  const areAllThere = plans.every(({ slug }) => slugs.has(slug))
  if (areAllThere && (await isFilled(ground, plans))) return
  await gatherParties(ground, portfolioParties)
  const series = portfolioSeries(dayOfInstant(now))
  await publishUntil(ground, series, lastSigning)
  const publishRest = () => publishUntil(ground, series, null)
  const steps = [applyAll, signAll, billAll, publishRest, correctAll, objectToSome]
  for (const step of steps) {
    const pieces = Array.from({ length: Math.ceil(plans.length / together) }, (_, i) =>
      plans.slice(i * together, (i + 1) * together),
    )
    for (const [i, piece] of pieces.entries()) {
      await step(ground, piece)
      onProgress(
        steps.indexOf(step) * plans.length + Math.min(plans.length, (i + 1) * together),
        steps.length * plans.length,
      )
    }
  }
}

/** Whether the last step was done for the last agreement that it concerns. */
async function isFilled({ sql, workspaceId }: DemoWorkspace, plans: readonly PlannedAgreement[]): Promise<boolean> {
  const last = plans.findLast(isObjectedTo)?.slug
  if (last === undefined) return plans.length === 0
  const kept = await withWorkspace(sql, workspaceId, tx => loadAgreementHistory(tx, workspaceId, last))
  return kept !== null && kept.objections.length > 0
}

async function applyAll({ sql, workspaceId }: DemoWorkspace, plans: readonly PlannedAgreement[]): Promise<void> {
  const requests = plans.map(({ document }) => ({ workspaceId, text: document, by: owner.email, today }))
  const refused = (await applyDocuments(sql, requests)).filter(each => each !== null && each.outcome === 'refused')
  if (refused.length > 0) throw new Error(`documents of the demo were refused: ${JSON.stringify(refused[0])}`)
}

async function signAll(ground: DemoWorkspace, plans: readonly PlannedAgreement[]): Promise<void> {
  for (const party of ['buyer', 'supplier'] as const) {
    const byBoth = plans.flatMap(plan =>
      plan.signedByBoth === null ? [] : [requestOf(ground, plan, party, plan.signedByBoth)],
    )
    await sign(ground, byBoth)
    const byOne = plans.filter(({ signedByOne }) => signedByOne?.party === party)
    await sign(
      ground,
      byOne.map(plan => requestOf(ground, plan, party, plan.signedByOne!.period)),
    )
  }
}

function requestOf({ workspaceId }: DemoWorkspace, plan: PlannedAgreement, party: Party, period: string): SignRequest {
  return {
    workspaceId,
    agreement: plan.slug,
    period,
    party,
    email: emailOf(plan, party),
    shown: null,
    through: true,
    proof: { means: 'OPERATOR' },
    fromAddress: null,
  }
}

function emailOf({ supplier }: PlannedAgreement, party: Party): string {
  return party === 'buyer' ? buyer.email : companies.find(({ slug }) => slug === supplier)!.person.email
}

async function sign({ sql, seal, workspaceId }: DemoWorkspace, requests: readonly SignRequest[]): Promise<void> {
  if (requests.length === 0) return
  for (const outcome of await signEach(sql, seal, workspaceId, requests)) if (outcome instanceof Refusal) throw outcome
}

/** Bills at the prices in force, but for a few lines at the price of the invoice before. */
async function billAll(ground: DemoWorkspace, plans: readonly PlannedAgreement[]): Promise<void> {
  const { sql, workspaceId } = ground
  const library = openLibrary(ground)
  const billed = plans.filter(({ signedByBoth }) => signedByBoth !== null)
  const numbers = billed.flatMap(plan => billingDays.map(date => normalForm(invoiceOf(plan, date))))
  const kept = await withWorkspace(sql, workspaceId, tx => loadStandingLines(tx, workspaceId, numbers))
  const known = new Set(kept.map(({ number }) => number))
  const lines: InvoiceLine[] = []
  for (const plan of billed) {
    let before: string | null = null
    for (const [turn, date] of billingDays.entries()) {
      const invoice = invoiceOf(plan, date)
      // Corrections may have changed the price since.
      if (known.has(invoice)) continue
      const question = { date: parseDay(date)!, knownAt: null, until: today }
      const [priced] = await library.prices.rows(workspaceId, plan.slug, question)
      if (priced?.row.price == null) continue
      const { item, price, currency } = priced.row
      const unitPrice: string = plan.place % 31 === 4 && turn === 3 ? (before ?? price) : price
      before = price
      const texts = {
        invoice,
        line: '1',
        agreement: plan.slug,
        item,
        quantity: String(plan.monthly),
        unitPrice,
        currency,
        date,
      }
      lines.push(readLine(lines.length + 1, texts))
    }
  }
  if (lines.length === 0) return
  const by = { who: owner.email, fromAddress: null }
  const imported = await importLines(sql, library, { workspaceId, lines, today, by, source: 'invoices of the demo' })
  if ('problems' in imported) throw new Error(`lines of the demo were refused: ${JSON.stringify(imported.problems[0])}`)
}

function invoiceOf({ supplier, place }: PlannedAgreement, date: string): string {
  return `${supplier.slice(0, 2).toUpperCase()}-${date.slice(2, 4)}${date.slice(5, 7)}-${String(place + 1).padStart(4, '0')}`
}

/**
 * Corrects agreements: of every ten with something due, one is agreed, one waits for each party, and the rest is not proposed
 * yet.
 */
async function correctAll(ground: DemoWorkspace, plans: readonly PlannedAgreement[]): Promise<void> {
  const { sql, seal, workspaceId } = ground
  const library = openLibrary(ground)
  const signers: Readonly<Record<number, readonly Party[]>> = {
    0: ['buyer', 'supplier'],
    1: ['supplier'],
    2: ['buyer'],
  }
  for (const plan of plans.filter(({ hasCorrections, signedByBoth }) => hasCorrections && signedByBoth !== null)) {
    const parties = signers[plan.place % 10]
    const trueUp =
      parties === undefined ? null : await library.trueUps.find(workspaceId, plan.slug, { knownAt: null, until: today })
    if (trueUp === null || trueUp.proposals.length > 0 || /^0(\.0*)?$/.test(trueUp.presentedLedger.open.due)) continue
    const request = { workspaceId, agreement: plan.slug, reason: null, by: { who: owner.email, fromAddress: null } }
    const { correction } = await proposeCorrection(sql, seal, request)
    const { id, hash } = correction
    for (const party of parties!) {
      const signer = { party, email: emailOf(plan, party), proof: { means: 'OPERATOR' }, fromAddress: null } as const
      await signCorrection(sql, seal, { workspaceId, id, hash, ...signer })
    }
  }
}

function isObjectedTo({ place, isDraft, frequency }: PlannedAgreement): boolean {
  return place % 50 === 12 && !isDraft && frequency === 'QUARTERLY'
}

/** Objects to a period that nobody has signed. */
async function objectToSome(
  { sql, seal, workspaceId }: DemoWorkspace,
  plans: readonly PlannedAgreement[],
): Promise<void> {
  for (const plan of plans.filter(isObjectedTo)) {
    const kept = await withWorkspace(sql, workspaceId, tx => loadAgreementHistory(tx, workspaceId, plan.slug))
    if (kept === null || kept.objections.length > 0) continue
    await objectToPeriod(sql, seal, {
      workspaceId,
      agreement: plan.slug,
      period: '2026-Q4',
      party: 'supplier',
      email: emailOf(plan, 'supplier'),
      means: 'OPERATOR',
      fromAddress: null,
      hash: null,
      about: { kind: 'number' },
      reason: 'Our own calculation gives another number; we are checking which month was read.',
      reading: null,
    })
  }
}

/** A library of the present state; later changes are not noticed. */
function openLibrary({ sql, seal }: DemoWorkspace): Library {
  const report = (problem: string) => {
    throw new Error(problem)
  }
  return new Library(sql, memoryBytes, { seals: seal.rows, report })
}
