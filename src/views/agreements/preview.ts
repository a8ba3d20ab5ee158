// Preview of a document while it is written: its problems, warnings and numbers over the whole history, beside the numbers of the
// stored version. Nothing is saved.

import { findPartyProblems, loadPartyGround } from '../../agreements/party-check.ts'
import { tryOut } from '../../core/calculation/try-out.ts'
import { findMisfits } from '../../core/formula/bind.ts'
import { type CheckedDocument, checkDocument } from '../../core/formula/check/check.ts'
import { seriesOf } from '../../core/formula/check/check-inputs.ts'
import { lint } from '../../core/formula/check/lint.ts'
import type { Formula } from '../../core/formula/formula.ts'
import { endingsBy } from '../../core/index-changes/index-event.ts'
import { joinWarnings } from '../../core/index-changes/join-advice.ts'
import type { Problem } from '../../core/refusal.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Day, formatDay, parseDay } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import { providerHabits } from '../../providers/catalogue/catalogue.ts'
import type { CachedAgreement } from '../../read/lists/cached-agreement.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { WaitingLine } from '../../workers/waiting-line.ts'
import type { PreviewRequest } from '../calls/agreement-calls.ts'
import type { AgreementComparison, InForce, Preview, PreviewEntry } from '../shapes/agreements.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { sightOf } from '../sight/visibility.ts'
import { readWaitingNames } from '../sight/waiting-names.ts'
import { inputViews } from './agreement-page.ts'
import { compareReadings } from './comparison.ts'
import { Histories } from './histories.ts'
import { type Draft, goOn } from './numbers-in-force.ts'
import { todayOf } from './opened-agreement.ts'
import { problemViews } from './problem-view.ts'
import { findReach } from './reach.ts'
import { presentTrial, stepLines, whyTooMuch } from './trial.ts'

/** Queue for trials of documents. Few run at once: each takes the whole processor while it runs. */
export class Trials {
  readonly #parts: ViewContext
  readonly #histories: Histories
  readonly #line = new WaitingLine(limits.previews)
  /** Numbers of the stored version; they are dropped when the library forgets the agreement. */
  readonly #kept = new WeakMap<CachedAgreement, { readonly until: Day; readonly entries: readonly PreviewEntry[] }>()

  constructor(parts: ViewContext) {
    this.#parts = parts
    this.#histories = new Histories(parts.library, limits.previewBytes)
  }

  preview(seat: Seat, request: PreviewRequest): Promise<Preview> {
    checkLength(request.text)
    return this.#inLine(() => this.#preview(seat, request))
  }

  compare(seat: Seat, text: string): Promise<AgreementComparison> {
    checkLength(text)
    return this.#inLine(async () => {
      const checked = checkDocument(text)
      const { formula, document, problems, lines } = checked
      if (formula === null) return { problems: problemViews(problems, lines), readings: [] }
      const index = await this.#index(seat, formula, null)
      const data = await this.#histories.read(seat, index, formula)
      const until = todayOf(this.#parts)
      const misfits = findMisfits(formula, data)
      const tooMuch = whyTooMuch(formula, data, until)
      const all = tooMuch === null ? misfits : [...misfits, { path: 'steps', message: tooMuch }]
      if (all.length > 0) return { problems: problemViews(all, lines), readings: [] }
      return { problems: [], readings: await compareReadings({ formula, document, data, until }) }
    })
  }

  /** A request that is not served in time, or finds the queue full, is asked to try again. */
  async #inLine<T>(work: () => Promise<T>): Promise<T> {
    let failure: unknown
    const watched = () =>
      work().catch(error => {
        failure = error
        throw error
      })
    try {
      return await this.#line.run(watched, true)
    } catch (error) {
      if (error === failure) throw error
      throw new Refusal('unavailable', 'the server is computing many previews at the moment; try again', 1)
    }
  }

  async #preview(seat: Seat, { text, against }: PreviewRequest): Promise<Preview> {
    const checked = checkDocument(text)
    const slug = against ?? checked.formula?.slug ?? null
    const index = await this.#index(seat, checked.formula, slug)
    const cached = slug === null ? null : await this.#cached(seat, index, slug)
    const before = cached === null ? [] : await this.#before(seat, cached)
    const { formula, problems, lines } = checked
    if (formula === null) {
      const inForce = cached === null ? null : await this.#inForce(seat, cached, null)
      return { ...nothing, problems: problemViews(problems, lines), before, inForce }
    }
    const trial = await this.#trial(seat, index, checked, formula)
    const draft = trial.entries.length > 0 ? { formula, data: await this.#histories.read(seat, index, formula) } : null
    return { ...nothing, ...trial, before, inForce: cached === null ? null : await this.#inForce(seat, cached, draft) }
  }

  /** Parts of the lists it needs; all of them if other agreements decide whether the person sees a series. */
  async #index({ role, workspace }: Seat, formula: Formula | null, slug: string | null): Promise<CachedIndex> {
    if (role === 'supplier') return this.#parts.library.index(workspace.id)
    const series = formula === null ? [] : seriesOf(formula.inputs).map(each => each.series)
    return this.#parts.library.index(workspace.id, { series, agreements: slug === null ? [] : [slug] })
  }

  async #cached(seat: Seat, index: CachedIndex, slug: string): Promise<CachedAgreement | null> {
    const found = index.findAgreement(slug)
    const row = found?.slug === slug ? found : undefined
    const sight = row === undefined ? null : sightOf(seat, row)
    // A supplier compares with the version in force, and with nothing while the agreement is a draft again.
    if (row === undefined || sight === null || sight.knownAt !== null) return null
    const cached = await this.#parts.library.agreement(seat.workspace.id, row.id)
    return cached === null ? null : cached.partOf(sight.tenure)
  }

  async #inForce(seat: Seat, cached: CachedAgreement, draft: Draft | null): Promise<InForce | null> {
    const until = todayOf(this.#parts)
    const standing = cached.snapshot.at(null)
    if (standing === null) return null
    const data = await this.#parts.library.data(seat.workspace.id, cached.snapshot, null)
    const before = goOn({ standing, data, until, draft: null })
    if (before === null) return null
    return {
      before,
      after: draft === null ? null : goOn({ standing, data, until, draft }),
      signed: standing.signed.length,
      reach: draft === null ? null : await findReach(this.#parts, seat, cached, draft.formula, before),
    }
  }

  async #trial(
    seat: Seat,
    index: CachedIndex,
    { lines }: CheckedDocument,
    formula: Formula,
  ): Promise<Omit<Preview, 'before' | 'inForce'>> {
    const data = await this.#histories.read(seat, index, formula)
    const until = todayOf(this.#parts)
    const misfits = findMisfits(formula, data)
    const problems = [...misfits, ...(await this.#partyProblems(seat, formula))]
    const tooMuch = whyTooMuch(formula, data, until)
    const events = await this.#parts.library.indexEvents.all(seat.workspace.id)
    const howEnded = endingsBy(formatDay(until), events)
    const warnings = [
      ...lint(formula, { data, today: until, habits: providerHabits, howEnded }),
      ...joinWarnings(formula, data, until),
    ]
    const waiting = await readWaitingNames(this.#parts, seat, formula.parties)
    const told = [...warnings, ...waiting, ...(tooMuch === null ? [] : [{ path: 'steps', message: tooMuch }])]
    const isTried = misfits.length === 0 && tooMuch === null
    return {
      problems: problemViews(problems, lines),
      warnings: problemViews(told, lines),
      ...presentTrial(isTried ? tryOut({ formula, data, tag: null, until }) : null),
      steps: stepLines(formula),
      inputs: inputViews(formula, index, data),
    }
  }

  /** Problems with parties. A supplier saves nothing, and does not see which other parties there are. */
  async #partyProblems(seat: Seat, { parties }: Formula): Promise<readonly Problem[]> {
    if (seat.role === 'supplier') return []
    const { id } = seat.workspace
    return withWorkspace(this.#parts.installation.sql, id, tx =>
      findPartyProblems(parties, () => loadPartyGround(tx, id)),
    )
  }

  /** Numbers of the newest stored document alone. */
  async #before(seat: Seat, cached: CachedAgreement): Promise<readonly PreviewEntry[]> {
    const { library } = this.#parts
    const until = todayOf(this.#parts)
    const known = this.#kept.get(cached)
    if (known?.until === until) return known.entries
    const { formula } = cached.snapshot.versions.at(-1)!
    // Read through the library, which then forgets the agreement when one of these series changes.
    const data = await library.data(seat.workspace.id, cached.snapshot, null)
    const tried = whyTooMuch(formula, data, until) === null ? tryOut({ formula, data, tag: null, until }) : null
    const standing = cached.snapshot.at(null)
    const entries = presentTrial(tried).entries.filter(
      ({ adjustmentDate }) => standing === null || standing.owns(parseDay(adjustmentDate)!),
    )
    this.#kept.set(cached, { until, entries })
    return entries
  }
}

const nothing: Preview = {
  problems: [],
  warnings: [],
  entries: [],
  blocked: [],
  steps: [],
  before: [],
  inForce: null,
  inputs: [],
}

function checkLength(text: string): void {
  if (text.length <= limits.previewCharacters) return
  throw new Refusal(
    'too-large',
    `a document has at most ${limits.previewCharacters} characters here, and this one has ${text.length}`,
  )
}
