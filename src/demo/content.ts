// Fills the demo workspace as if it had grown over the years: the figures published up to a day, the sign-offs of that time,
// everything after, corrections of prices signed on a preliminary figure, and indices that are late or ended. Interrupted work is
// completed.
import { applyDocument } from '../agreements/apply.ts'
import { signPeriod } from '../agreements/sign.ts'
import type { Party } from '../core/parties.ts'
import { Refusal } from '../core/refusal.ts'
import { parseDay } from '../core/time/day.ts'
import { dayOfInstant, type Instant, startOfDay } from '../core/time/instant.ts'
import { loadAgreementHistory } from '../storage/agreements/agreements.ts'
import { newestSeq } from '../storage/log/append.ts'
import { changeMember } from '../storage/people/member-changes.ts'
import { createCompany, listCompanies } from '../storage/people/parties.ts'
import { findMember } from '../storage/people/people.ts'
import { markSeenEvents } from '../storage/people/people-events.ts'
import { withWorkspace } from '../storage/postgres/database.ts'
import { type DemoAgreement, readContractWords, readFormula } from './agreements.ts'
import { addBillingDetails } from './billing.ts'
import { addBilled, addCorrections } from './corrections.ts'
import { buyer, carrier, type DemoParty, demoParties, owner, supplier } from './people.ts'
import { addInvoices, addPriceLists } from './prices.ts'
import { type DemoWorkspace, newestOf, publishUntil } from './publish.ts'
import { demoSeries } from './series.ts'
import { announceReleases, newestPeriod, proposeSuccessor } from './waits/waits.ts'

interface SignOffs {
  readonly agreement: DemoAgreement
  /** This period and every one before it. */
  readonly period: string
  readonly parties: readonly Party[]
}

/** The day up to which the parties knew the figures when they signed for the first time. */
const firstSigning = startOfDay(parseDay('2026-01-10')!)
const both: readonly Party[] = ['buyer', 'supplier']

/** Signer for each supplier: one of its people for a company, else the person named by address. */
const suppliers: Readonly<Record<DemoAgreement, string>> = {
  'steel-brackets': supplier.email,
  'steel-tubes': supplier.email,
  'rack-frames': supplier.email,
  'bridge-engineering': 'lou@garonne.test',
  'freight-surcharge': carrier.email,
  'office-lease-2021': 'kim@harbor.test',
  'office-lease': 'kim@harbor.test',
  'long-haul': carrier.email,
  'cold-storage': 'mia@tybee.test',
  'cleaning-services': 'noor@brightside.test',
  'bonded-warehouse': carrier.email,
}

const signedFirst: readonly SignOffs[] = [
  { agreement: 'steel-brackets', period: '2025-Q4', parties: both },
  { agreement: 'steel-tubes', period: '2025-Q4', parties: both },
  { agreement: 'rack-frames', period: '2025-Q4', parties: both },
  { agreement: 'bridge-engineering', period: '2025', parties: both },
  { agreement: 'freight-surcharge', period: '2026-01', parties: both },
  { agreement: 'office-lease', period: '2025', parties: both },
]

const signedLater: readonly SignOffs[] = [
  { agreement: 'steel-brackets', period: '2026-Q1', parties: both },
  { agreement: 'steel-brackets', period: '2026-Q2', parties: ['buyer'] },
  { agreement: 'freight-surcharge', period: '2026-09', parties: both },
]

/** Sign-offs of the agreements that wait for figures: every period that could be signed. */
function signedWhileWaiting(now: Instant): readonly SignOffs[] {
  return [
    { agreement: 'long-haul', period: newestPeriod('truckload', 2, now), parties: both },
    { agreement: 'cold-storage', period: newestPeriod('storage', 1, now), parties: both },
    { agreement: 'cleaning-services', period: '2025', parties: both },
    { agreement: 'cleaning-services', period: '2026', parties: ['buyer'] },
    { agreement: 'bonded-warehouse', period: '2025', parties: both },
  ]
}

/** Whether it is complete: the last step was done. */
export async function isFilled({ sql, workspaceId }: DemoWorkspace): Promise<boolean> {
  const { agreement, period, parties } = signedLater.at(-1)!
  const kept = await withWorkspace(sql, workspaceId, tx => loadAgreementHistory(tx, workspaceId, agreement))
  const wanted = parties.at(-1)
  return kept?.signOffs.some(each => each.period === period && each.party === wanted) === true
}

export async function fill(ground: DemoWorkspace, now: Instant): Promise<void> {
  await gatherParties(ground, demoParties)
  await publishUntil(ground, demoSeries, firstSigning)
  await take(ground, 'steel-brackets')
  await take(ground, 'steel-tubes')
  await take(ground, 'rack-frames')
  await take(ground, 'bridge-engineering')
  await take(ground, 'freight-surcharge')
  await take(ground, 'office-lease-2021')
  await addPriceLists(ground, dayOfInstant(newestPublication()), owner.email)
  for (const signOffs of signedFirst) await sign(ground, signOffs)
  await addBilled(ground, dayOfInstant(newestPublication()), owner.email)
  await publishUntil(ground, demoSeries, null)
  await addBillingDetails(ground)
  await addCorrections(ground, owner.email)
  await take(ground, 'office-lease')
  await addInvoices(ground, dayOfInstant(newestPublication()), owner.email)
  await addWaiting(ground, now)
  for (const signOffs of signedLater) await sign(ground, signOffs)
}

/** Adds late figures, a cancelled release, and an index that ended. */
async function addWaiting(ground: DemoWorkspace, now: Instant): Promise<void> {
  await announceReleases(ground, now)
  const signOffs = signedWhileWaiting(now)
  for (const agreement of new Set(signOffs.map(each => each.agreement))) await take(ground, agreement)
  for (const each of signOffs) await sign(ground, each)
  await proposeSuccessor(ground)
}

/** The companies, and who belongs to them. */
export async function gatherParties({ sql, workspaceId }: DemoWorkspace, parties: readonly DemoParty[]): Promise<void> {
  const by = { who: owner.email, fromAddress: null }
  const held = await listCompanies(sql, workspaceId)
  for (const { slug, name, person } of parties) {
    if (!held.some(each => each.slug === slug)) await createCompany(sql, workspaceId, { slug, name }, by)
    const member = await findMember(sql, workspaceId, person.email)
    if (member === null || member.company === slug) continue
    await changeMember(sql, workspaceId, member.id, { company: slug }, by)
    // The making of the demo is no news: nobody was here.
    await withWorkspace(sql, workspaceId, async tx =>
      markSeenEvents(tx, workspaceId, member.id, await newestSeq(tx, workspaceId)),
    )
  }
}

/** Applies a document, unless its agreement has a later one: an older document would become a newer version. */
async function take({ sql, workspaceId }: DemoWorkspace, name: DemoAgreement): Promise<void> {
  const text = await readFormula(name)
  const slug = name === 'office-lease-2021' ? 'office-lease' : name
  const kept = await withWorkspace(sql, workspaceId, tx => loadAgreementHistory(tx, workspaceId, slug))
  if (kept !== null && name !== 'office-lease') return
  const words = await readContractWords(name)
  const request = { workspaceId, text, words, by: owner.email, today: dayOfInstant(newestPublication()) }
  const applied = await applyDocument(sql, request)
  if (applied.outcome === 'refused')
    throw new Error(`the demo's formula ${name} was refused: ${JSON.stringify(applied.problems)}`)
}

async function sign(
  { sql, seal, workspaceId }: DemoWorkspace,
  { agreement, period, parties }: SignOffs,
): Promise<void> {
  for (const party of parties) {
    const email = party === 'buyer' ? buyer.email : suppliers[agreement]
    const proof = { means: 'OPERATOR' } as const
    const request = {
      workspaceId,
      agreement,
      period,
      party,
      email,
      shown: null,
      through: true,
      proof,
      fromAddress: null,
    }
    await signPeriod(sql, seal, request)
  }
}

export function newestPublication(): Instant {
  return newestOf(demoSeries)
}

/** Figures cannot be recorded before they were published. */
export function checkClock(now: Instant, newest: Instant = newestPublication()): void {
  if (now <= newest)
    throw new Refusal(
      'invalid',
      `the clock says ${now.slice(0, 10)}, but the demo's figures go to ${newest.slice(0, 10)}; set the clock right`,
    )
}
