// Formula versions of an agreement: author and time, changes from one to the next in the words of the document, and the effect on
// every period.

import { setImmediate } from 'node:timers/promises'
import { agreedWithoutThem, madeOf } from '../../agreements/terms/consent.ts'
import type { BoundVersion } from '../../core/calculation/adjustment.ts'
import { evaluate } from '../../core/calculation/evaluate.ts'
import { bindFormula, type SeriesData } from '../../core/formula/bind.ts'
import { checkDocument } from '../../core/formula/check/check.ts'
import { documentDifferences } from '../../core/formula/document-differences.ts'
import { formatRedacted } from '../../core/receipt/party-signature.ts'
import { Refusal } from '../../core/refusal.ts'
import { noCuts } from '../../core/series/vintage.ts'
import { formatDay } from '../../core/time/day.ts'
import { reportedOf } from '../../core/true-up/causes.ts'
import { limits } from '../../limits.ts'
import type { AgreementState, AgreementVersion } from '../../read/agreements/agreement-snapshot.ts'
import { type BillingVersion, billingVersions } from '../../read/agreements/billing-versions.ts'
import { isWithin } from '../../read/agreements/tenure.ts'
import type { TermsMade } from '../../read/agreements/terms-state.ts'
import { type FormulaVersion, loadWords } from '../../storage/agreements/agreements.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import type { BillingView, EffectRow, EffectSide, VersionOrigin, VersionView, WordsView } from '../shapes/versions.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { signatoryOf, visibleVersions } from '../sight/visibility.ts'
import { type OpenedAgreement, openAgreement } from './opened-agreement.ts'

/** Versions, the newest first. Changes are shown from one visible version to the next. */
export async function listVersions(parts: ViewContext, seat: Seat, slug: string): Promise<readonly VersionView[]> {
  const at = await openAgreement(parts, seat, slug)
  const seen = visibleVersions(seat, at.snapshot)
  const versions = at.snapshot.kept.versions.filter(({ version }) => seen.has(version))
  const checked = at.snapshot.versions.filter(({ number }) => seen.has(number))
  const documents = versions.map(({ documentText }) => checkDocument(documentText).document)
  const data = await parts.library.data(seat.workspace.id, at.snapshot, null)
  const effects = await effectsOf(checked, at, data)
  const originOf = origins(seat, at)
  const billing = billingViews(at, originOf)
  return versions
    .map((version, i) => ({
      version: version.version,
      createdBy: version.createdBy,
      recordedAt: version.recordedAt,
      redacted: version.redacted == null ? null : formatRedacted(version.redacted),
      origin: originOf('FORMULA', version),
      effectiveFrom: formatDay(checked[i]!.formula.effectiveFrom),
      documentText: version.documentText,
      hasWords: version.wordsHash !== null,
      isReworded: i > 0 && version.wordsHash !== versions[i - 1]!.wordsHash,
      changes: i === 0 ? [] : documentDifferences(documents[i - 1]!, documents[i]!),
      effects: effects.get(version.version) ?? [],
      billing: billing
        .filter(({ seq }) => version.seq < seq && seq < (versions[i + 1]?.seq ?? Number.POSITIVE_INFINITY))
        .map(({ view }) => view)
        .toReversed(),
    }))
    .toReversed()
}

/** Words of a version. Refuses one that is not there or not visible to the person, with the same message. */
export async function showWords(parts: ViewContext, seat: Seat, slug: string, version: string): Promise<WordsView> {
  const { snapshot } = await openAgreement(parts, seat, slug)
  const seen = visibleVersions(seat, snapshot)
  const number = [...seen].find(each => each.toString() === version)
  if (number === undefined) throw new Refusal('not-found', `there is no version "${version}" of this agreement`)
  const { workspace } = seat
  const [kept] = await withWorkspace(
    parts.installation.sql,
    workspace.id,
    tx => loadWords(tx, workspace.id, [{ agreementId: snapshot.id, version: number }]),
    'snapshot',
  )
  return { words: kept?.words ?? null }
}

/** Versions of billing terms, each with its state's number. Terms of other suppliers that no longer govern have no content. */
function billingViews(
  { snapshot, sight: { tenure } }: OpenedAgreement,
  originOf: ReturnType<typeof origins>,
): readonly { readonly seq: number; readonly view: BillingView }[] {
  const all = billingVersions(snapshot.whole.kept)
  const isOwn = ({ recordedAt }: BillingVersion) => tenure === null || isWithin(tenure, recordedAt)
  const isOfNow = (each: BillingVersion) => each === all.at(-1) && tenure?.endedAt === null
  const known = all.slice(1).filter(each => isOwn(each) || tenure?.endedAt === null)
  const views = known.map(each => {
    const { version, seq, recordedAt } = each
    const terms = isOwn(each) || isOfNow(each) ? each.terms : null
    return { seq, view: { version, recordedAt, origin: originOf('BILLING', each), terms } }
  })
  return views.filter(({ view }) => view.terms !== null || view.origin.kind === 'WITHOUT_YOU')
}

/** Returns the origin of formula versions, price lists and billing terms. */
export function origins(
  seat: Seat,
  { snapshot, sight: { tenure } }: OpenedAgreement,
): (kind: TermsMade['kind'], terms: Pick<FormulaVersion, 'version' | 'proposal' | 'recordedAt'>) => VersionOrigin {
  const { made, states } = madeOf(snapshot.whole.kept)
  return (kind, { version, proposal, recordedAt }) => {
    const all = { FORMULA: made.versions, PRICE_LIST: made.lists, BILLING: made.billing }[kind]
    const terms = all.find(each => each.version === version)
    const without = agreedWithoutThem(states, signatoryOf(seat), terms)
    if (without !== null) return { kind: 'WITHOUT_YOU', ...without }
    if (tenure !== null && !isWithin(tenure, recordedAt)) return { kind: 'EARLIER' }
    const change = snapshot.kept.changes.find(({ id }) => id === proposal)
    if (change === undefined) return { kind: kind === 'FORMULA' && version === 1 ? 'FIRST' : 'ONE_SIDE' }
    const agreedBy = change.signatures.map(({ party, signedBy, signedAt, given: { name } }) => ({
      party,
      name: name === '' ? signedBy : name,
      at: signedAt,
    }))
    return { kind: 'BOTH', proposal: change.id, agreedBy, plannedBy: change.plannedBy }
  }
}

/** Effects of the newest versions: every period without the version and with it, over the same data, nothing signed. */
async function effectsOf(
  versions: readonly AgreementVersion[],
  { today, standing }: OpenedAgreement,
  data: SeriesData,
): Promise<ReadonlyMap<number, readonly EffectRow[]>> {
  const first = Math.max(1, versions.length - limits.versionEffects)
  const effects = new Map<number, readonly EffectRow[]>()
  let before = numbersOf(versions.slice(0, first), data, today)
  for (let i = first; i < versions.length; i++) {
    const after = numbersOf(versions.slice(0, i + 1), data, today)
    if (before !== null && after !== null) effects.set(versions[i]!.number, compareNumbers(before, after, standing))
    before = after
    // A version is a whole history: other requests are answered in between.
    await setImmediate()
  }
  return effects
}

type Numbers = ReadonlyMap<string, { readonly date: number; readonly side: EffectSide }>

/** Numbers under the versions; null where one does not fit its series. */
function numbersOf(versions: readonly AgreementVersion[], data: SeriesData, until: number): Numbers | null {
  const bound: BoundVersion[] = []
  for (const { number, formula } of versions) {
    const fit = bindFormula(formula, data).bound
    if (fit === null) return null
    bound.push({ number, bound: fit })
  }
  const { adjustments } = evaluate({ versions: bound, cuts: noCuts, tag: null, until, today: until, after: null })
  return new Map(adjustments.map(each => [each.period, { date: each.date, side: reportedOf(each) }]))
}

/** Effects on the dates that belong to the viewer. */
function compareNumbers(before: Numbers, after: Numbers, standing: Pick<AgreementState, 'owns'>): EffectRow[] {
  const periods = new Map([...before, ...after])
  return [...periods]
    .filter(([, { date }]) => standing.owns(date))
    .sort(([, a], [, b]) => a.date - b.date)
    .map(([period]) => ({
      period,
      before: before.get(period)?.side ?? null,
      after: after.get(period)?.side ?? null,
    }))
}
