// Console routes about objections: made, answered and withdrawn by the people of the two sides.
import { answerObjection, objectToPeriod, withdrawObjection } from '../../../agreements/object.ts'
import { decimalDifference } from '../../../core/numbers/decimal-difference.ts'
import type { AttachedReading } from '../../../core/receipt/objection.ts'
import { Refusal } from '../../../core/refusal.ts'
import { showAdjustment } from '../../../views/agreements/adjustment-page.ts'
import { openAgreement } from '../../../views/agreements/opened-agreement.ts'
import type { Trials } from '../../../views/agreements/preview.ts'
import { partyOf } from '../../../views/agreements/signing-view.ts'
import type { ReadingChoice } from '../../../views/shapes/objections.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import { hearerOf } from '../../../views/sight/visibility.ts'
import { type ConsoleParts, type ConsoleRoute, created, route } from '../frame/route.ts'
import { refuseFormer } from './signing.ts'

const base = '/agreements/:slug/periods/:period'

interface ObjectionCall {
  readonly seat: Seat
  readonly params: PeriodOf & { readonly id: string }
  readonly body: { readonly words: string }
}

export function objectionRoutes(parts: ConsoleParts, trials: Trials): readonly ConsoleRoute[] {
  const { sql } = parts.installation
  const page = (seat: Seat, params: { readonly slug: string; readonly period: string }) =>
    showAdjustment(parts, seat, params.slug, params.period)
  const say = (write: typeof answerObjection) => async (question: ObjectionCall) => {
    const { seat, params, body } = question
    const statement = await statementBy(parts, seat, params.slug)
    await write(sql, { ...statement, objectionId: params.id, words: body.words })
    await parts.catchUp()
    return created(await page(seat, params))
  }
  return [
    route(`GET ${base}/readings`, {
      isUnproven: true,
      answer: ({ seat, params }) => readingsOf(parts, trials, seat, params),
    }),
    route(`POST ${base}/objections`, {
      isUnproven: true,
      async answer({ seat, params, body }) {
        const { hash, about, reason, reading } = body
        const statement = await statementBy(parts, seat, params.slug)
        const attached = reading === null ? null : await chooseReading(parts, trials, seat, { ...params, reading })
        const { period } = params
        const said = { ...statement, period, hash, about, reason, reading: attached, bounds: parts.bounds }
        await objectToPeriod(sql, parts.seal, said)
        await parts.catchUp()
        return created(await page(seat, params))
      },
    }),
    route(`POST ${base}/objections/:id/answers`, { answer: say(answerObjection) }),
    route(`POST ${base}/objections/:id/withdraw`, { answer: say(withdrawObjection) }),
  ]
}

/** Refuses a person who sees the agreement but is on neither side of it. */
async function statementBy(parts: ConsoleParts, seat: Seat, slug: string) {
  const { snapshot, standing, sight } = await openAgreement(parts, seat, slug)
  refuseFormer(sight)
  const party = partyOf(seat, standing.state)
  if (party === null)
    throw new Refusal('forbidden', 'only the buyer and the supplier of this agreement object to its numbers')
  return {
    workspaceId: seat.workspace.id,
    agreement: snapshot.id,
    party,
    email: seat.person.email,
    means: 'SESSION' as const,
    fromAddress: seat.fromAddress,
    hearer: hearerOf(seat),
  }
}

interface PeriodOf {
  readonly slug: string
  readonly period: string
}

/** Readings of the version that governs the period, as one document alone. */
async function readingsOf(parts: ConsoleParts, trials: Trials, seat: Seat, asked: PeriodOf): Promise<ReadingChoice[]> {
  const { snapshot, adjustments, gap, sight } = await openAgreement(parts, seat, asked.slug)
  if (adjustments === null) throw new Refusal('not-found', gap?.sentence ?? 'nothing can be computed')
  const { period, calculation } = adjustments.find(asked.period, null)
  // Readings use the figures of today, and object to a number of today.
  if (sight.knownAt !== null) return []
  const kept = snapshot.kept.versions.find(({ version }) => version === calculation.formulaVersion)!
  const { problems, readings } = await trials.compare(seat, kept.documentText)
  if (problems.length > 0) return []
  const [asWritten, ...others] = readings
  const written = asWritten?.entries.find(each => each.period === period)
  return others.flatMap(({ id, title, words, entries }) => {
    const entry = entries.find(each => each.period === period)
    if (entry === undefined || written === undefined) return []
    const { adjustmentPct, cumulativePct, price } = entry
    const points = decimalDifference(written.cumulativePct, cumulativePct)
    return [{ id, title, words, adjustmentPct, cumulativePct, price, points }]
  })
}

async function chooseReading(
  parts: ConsoleParts,
  trials: Trials,
  seat: Seat,
  asked: PeriodOf & { readonly reading: string },
): Promise<AttachedReading> {
  const found = (await readingsOf(parts, trials, seat, asked)).find(({ id }) => id === asked.reading)
  if (found === undefined)
    throw new Refusal('invalid', `the reading "${asked.reading}" gives ${asked.period} no number`)
  const { points: _points, ...reading } = found
  return reading
}
