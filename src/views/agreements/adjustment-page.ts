// One adjustment as a person takes it into a negotiation: the number, its reasons, every line with its numbers, every observation.
// All of it comes from the period's receipt; for a signed period that is the signed receipt.

import { checkDocument } from '../../core/formula/check/check.ts'
import { controlWords } from '../../core/formula/controls/controls.ts'
import type { Formula } from '../../core/formula/formula.ts'
import { formatCarried, multiply, round } from '../../core/numbers/ratio.ts'
import type { Party } from '../../core/parties.ts'
import { formatPrice } from '../../core/receipt/calculation.ts'
import { type Measured, measureParts } from '../../core/receipt/display-base.ts'
import { formatLine } from '../../core/receipt/line-words.ts'
import { narrate } from '../../core/receipt/narrative.ts'
import type { Receipt, ReceiptBody } from '../../core/receipt/receipt.ts'
import { type WorkedReceipt, workReceipt } from '../../core/receipt/worked-steps.ts'
import { type Cuts, noCuts } from '../../core/series/vintage.ts'
import { formatStepRounding } from '../../core/text/words.ts'
import type { PeriodEntry } from '../../read/agreements/adjustments.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { originView } from '../series/origin-view.ts'
import { seriesNamed } from '../series/series-names.ts'
import type { AdjustmentPage, ComponentView, ObservationView, WorkedStep } from '../shapes/agreements.ts'
import { isCut } from '../sight/cut.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { priceView, supplierTimeOf } from './agreement-list.ts'
import { causesView } from './causes.ts'
import { objectionsView } from './objection-view.ts'
import { adjustmentsOf, type OpenedAgreement, openAgreement, readNames, readTodays } from './opened-agreement.ts'
import { entryRow, signersOf } from './period-row.ts'
import { cancelledFigures, preliminaryFigures } from './preliminary.ts'
import { readLastLook } from './proposal-history.ts'
import { readAsSigner } from './signer-check.ts'
import { datedTerms, shownSteps, signingView } from './signing-view.ts'

export async function showAdjustment(
  parts: ViewContext,
  seat: Seat,
  slug: string,
  period: string,
  cuts: Cuts = noCuts,
): Promise<AdjustmentPage> {
  const at = await openAgreement(parts, seat, slug, cuts)
  const isPast = isCut(cuts)
  const { standing, index, today, cached, snapshot } = at
  const adjustments = adjustmentsOf(at)
  const entry = adjustments.find(period, null)
  const names = await readNames(parts, seat)
  const todays = entry.isSigned ? await readTodays(parts, seat, at) : new Map()
  const steps = shownSteps(seat, at, adjustments, isPast)
  const row = entryRow(entry, { signOffs: standing.signOffs, names, todays, steps })
  const worked = workReceipt(entry.body)
  const measured = measureParts(worked)
  const entries = adjustments.entries(today)
  const place = entries.findIndex(({ date }) => date === entry.date)
  const asSigner = await readAsSigner(parts, seat, snapshot.whole.kept.signOffs)
  const signing = signingView(seat, at, { entries, entry, names, steps, asSigner })
  parts.library.account(cached)
  return {
    agreement: {
      slug: snapshot.slug,
      name: standing.state.name,
      status: standing.state.status,
      price: priceView(worked.formula.contract.price),
      version: standing.versions.at(-1)!.number,
      asSupplier: supplierTimeOf(at.sight),
    },
    entry: row,
    signers: signersOf(entry.signatures, entry.body.parties),
    sentence: narrate(worked),
    pathPrice: priceCarriedIn(worked),
    components: componentViews(measured, entry.body, index),
    lastApplied: measured.lastApplied,
    isChained: measured.isChained,
    controls: entry.body.result.controls.map(({ control, points }) => ({
      control,
      words: controlWords[control] ?? control,
      points,
    })),
    steps: workedSteps(worked, entry.body),
    observations: observationViews(entry.body, index, names),
    isFromReceipt: entry.isSigned,
    issuedAt: entry.isSigned ? issuedAt(at, entry) : null,
    previousPeriod: entries[place - 1]?.period ?? null,
    nextPeriod: entries[place + 1]?.period ?? null,
    causes: row.today === null ? null : await causesView(parts, seat, at, entry, names),
    preliminary: await preliminaryFigures(parts, seat, at, entry),
    cancelled: await cancelledFigures(parts, seat, at, entry, cuts),
    signing: isPast ? notThen(signing) : signing,
    datedTerms: await datedTerms(parts, seat),
    objections: isPast ? notThen(objectionsView(seat, at, entry)) : objectionsView(seat, at, entry),
    lastLook: isPast ? null : await readLastLook(parts, seat, at, entry.period),
  }
}

/** The receipt in the form of the API. */
export async function showReceipt(parts: ViewContext, seat: Seat, slug: string, period: string): Promise<Receipt> {
  return parts.seal.issue(adjustmentsOf(await openAgreement(parts, seat, slug)).find(period, null))
}

/** A page as it stood is read-only. */
function notThen<T extends { readonly as: Party | null; readonly whyNot: string | null }>(view: T): T {
  return { ...view, as: null, whyNot: 'This is how it stood on an earlier day. Go back to today to sign or to object.' }
}

function issuedAt({ standing }: OpenedAgreement, { period, hash }: PeriodEntry): string | null {
  return standing.signed.find(each => each.period === period && each.hash === hash)?.recordedAt ?? null
}

/** The price before: by the version that computed the period before, or as the contract begins. */
function priceCarriedIn({ receipt, formula }: WorkedReceipt): string | null {
  const { carriedIn, documents } = receipt
  if (carriedIn.version === null) return formula.contract.price?.text ?? null
  const then = governingThen(carriedIn.version, documents) ?? formula
  const { price } = then.contract
  if (price === null) return null
  const exact = multiply(price.amount, carriedIn.factor)
  const rounding = then.clause?.rounding.price ?? price.round
  return formatPrice({ value: rounding === null ? exact : round(exact, rounding), rounding })
}

function governingThen(version: number, documents: ReadonlyMap<number, string>): Formula | null {
  const document = documents.get(version)
  return document === undefined ? null : checkDocument(document).formula
}

function componentViews({ since }: Measured, { result }: ReceiptBody, index: CachedIndex): ComponentView[] {
  return result.components.map(({ input, series, weight, change, contribution }, i) => {
    const { seriesId, name } = seriesNamed(series, index)
    return {
      input,
      reference: series,
      seriesId,
      name: name ?? series,
      weight,
      changePct: change,
      contribution,
      since: since[i] ?? null,
    }
  })
}

export function workedSteps({ lines }: WorkedReceipt, body: ReceiptBody): WorkedStep[] {
  return lines.map(({ step, value, numbers, told }, i) => {
    const rounding = formatStepRounding(step)
    return {
      name: step.name,
      words: formatLine(step),
      expr: step.expr,
      rounding: rounding === '' ? null : rounding,
      note: step.note,
      numbers,
      told,
      value: formatCarried(value),
      shown: body.steps[i]!.shown,
    }
  })
}

function observationViews(
  { observations }: ReceiptBody,
  index: CachedIndex,
  names: ReadonlyMap<string, string>,
): ObservationView[] {
  return observations.map(({ input, series, period, value, version, published, recorded, origin }) => {
    const { seriesId, name } = seriesNamed(series, index)
    return {
      input,
      reference: series,
      seriesId,
      name: name ?? series,
      period,
      value,
      tag: version,
      publishedAt: published,
      recordedAt: recorded,
      origin: originView(origin, names),
    }
  })
}
