// Applying a formula document: a new agreement, a new version if the formula differs, a new state if only its descriptions
// do, or nothing. All problems are reported at once, and then nothing is written.

import type { Evaluation } from '../core/calculation/adjustment.ts'
import { evaluate } from '../core/calculation/evaluate.ts'
import { bindFormula, findMisfits, type SeriesData, unknownSeries } from '../core/formula/bind.ts'
import { calculatingPart, type JsonObject } from '../core/formula/canonical.ts'
import { checkDocument } from '../core/formula/check/check.ts'
import { seriesOf } from '../core/formula/check/check-inputs.ts'
import { lint } from '../core/formula/check/lint.ts'
import type { Billing, Formula } from '../core/formula/formula.ts'
import { namedPartiesIn } from '../core/formula/named-parties.ts'
import { namedSeriesIn } from '../core/formula/named-series.ts'
import { type KeptClause, openSentences } from '../core/formula/pasted/clause-check.ts'
import type { Descriptions } from '../core/formula/restatement.ts'
import { nothingKnown, type ProviderHabits } from '../core/formula/series-habits.ts'
import { checkSuccession } from '../core/formula/succession.ts'
import { joinWarnings } from '../core/index-changes/join-advice.ts'
import { fullWork, tooMuchWork, WorkBudget } from '../core/numbers/work-budget.ts'
import { type Problem, Refusal } from '../core/refusal.ts'
import { noCuts } from '../core/series/vintage.ts'
import { canonicalJson } from '../core/text/canonical-json.ts'
import { tellDay } from '../core/text/words.ts'
import { type Day, writeDay } from '../core/time/day.ts'
import {
  insertAgreement,
  insertAgreementState,
  insertFormula,
  type KeptAgreement,
  readAgreement,
  type StoredAgreement,
} from '../storage/agreements/agreements.ts'
import { appending, type OpenLog } from '../storage/log/append.ts'
import { type Sql, type Transaction, withWorkspace } from '../storage/postgres/database.ts'
import { noteActivity } from '../storage/workspaces/activity.ts'
import { findPartyProblems } from './party-check.ts'
import { loadSeriesData } from './standing.ts'

export interface ApplyRequest {
  readonly workspaceId: string
  readonly text: string
  /** Who applies it. */
  readonly by: string
  readonly today: Day
  /** The version the change was made from; left out, it applies to any. */
  readonly basedOn?: Basis
  readonly fromAddress?: string
  /** What is known about providers' series, for the warnings; left out, they are based on the figures alone. */
  readonly habits?: ProviderHabits
  /** The clause that it was read from; left out, the one that is kept stays. */
  readonly clause?: KeptClause
}

/** The state from which somebody began to edit: a change made in between must not be lost. */
interface Basis {
  /** 0 for an agreement that does not exist yet. */
  readonly version: number
  /** Its newest position in the sequence that was seen; null if only the version is known. */
  readonly revision: number | null
}

export interface Applied {
  readonly outcome: 'created' | 'new version' | 'changed' | 'unchanged'
  readonly id: string
  readonly slug: string
  readonly version: number
  readonly warnings: readonly Problem[]
}

export interface Refused {
  readonly outcome: 'refused'
  readonly problems: readonly Problem[]
  readonly lines: ReadonlyMap<string, number>
}

export async function applyDocument(sql: Sql, request: ApplyRequest): Promise<Applied | Refused> {
  const judged = (await judgeAll(sql, [request]))[0]!
  if (judged.outcome === 'refused') return judged
  const written = await appending(sql, request.workspaceId, (tx, log) =>
    write(tx, log, request, judged.formula, judged.document),
  )
  return { ...written, slug: judged.formula.slug, warnings: judged.warnings }
}

/** Several documents of one workspace in one entry: if one is refused, none is stored. In the order given. */
export async function applyDocuments(
  sql: Sql,
  requests: readonly ApplyRequest[],
): Promise<readonly Applied[] | readonly (Refused | null)[]> {
  const judged = await judgeAll(sql, requests)
  const refused = refuseTwins(judged).map(each => (each.outcome === 'refused' ? each : null))
  if (refused.some(each => each !== null)) return refused
  const good = judged as readonly Judged[]
  const written = await appending(sql, requests[0]!.workspaceId, async (tx, log) => {
    const outcomes: Awaited<ReturnType<typeof write>>[] = []
    for (const [i, { formula, document }] of good.entries())
      outcomes.push(await write(tx, log, requests[i]!, formula, document))
    return outcomes
  })
  return written.map((each, i) => ({ ...each, slug: good[i]!.formula.slug, warnings: good[i]!.warnings }))
}

/** What each document would be, or why it is refused; nothing is stored. In the order given, of one workspace. */
export async function judgeAll(sql: Sql, requests: readonly ApplyRequest[]): Promise<readonly (Judged | Refused)[]> {
  const [first] = requests
  if (first === undefined) return []
  return withWorkspace(
    sql,
    first.workspaceId,
    async tx => {
      const ground = new Ground(tx, first.workspaceId)
      const judged: (Judged | Refused)[] = []
      for (const request of requests) judged.push(await judge(ground, request))
      return judged
    },
    'snapshot',
  )
}

/** What documents are judged by, as of one moment. Many documents read the same series: each is loaded once. */
class Ground {
  readonly #tx: Transaction
  readonly #workspaceId: string
  readonly #series = new Map<string, SeriesData>()

  constructor(tx: Transaction, workspaceId: string) {
    this.#tx = tx
    this.#workspaceId = workspaceId
  }

  async data(references: readonly string[]): Promise<SeriesData> {
    const key = JSON.stringify([...references].sort())
    const known = this.#series.get(key)
    if (known !== undefined) return known
    const data = await loadSeriesData(this.#tx, this.#workspaceId, references)
    this.#series.set(key, data)
    return data
  }

  agreement(slug: string): Promise<StoredAgreement | null> {
    return readAgreement(this.#tx, this.#workspaceId, slug)
  }

  partyProblems(parties: Formula['parties']): Promise<readonly Problem[]> {
    return findPartyProblems(this.#tx, this.#workspaceId, parties)
  }
}

/** A document without problems. */
interface Judged {
  readonly outcome: 'good'
  readonly formula: Formula
  readonly document: JsonObject
  readonly warnings: readonly Problem[]
  readonly lines: ReadonlyMap<string, number>
  /** Its numbers, from the figures of today. */
  readonly numbers: Evaluation
}

/** Applied one after the other they would become two versions, and nothing says which comes first. */
function refuseTwins(judged: readonly (Judged | Refused)[]): readonly (Judged | Refused)[] {
  const seen = new Set<string>()
  return judged.map(each => {
    if (each.outcome === 'refused') return each
    const { slug } = each.formula
    if (!seen.has(slug)) {
      seen.add(slug)
      return each
    }
    const problem = { path: 'slug', message: `another document of the same call is called ${slug}` }
    return { outcome: 'refused', problems: [problem], lines: each.lines }
  })
}

async function judge(ground: Ground, request: ApplyRequest): Promise<Judged | Refused> {
  const { formula, document, problems, lines } = checkDocument(request.text)
  if (formula === null) {
    const unknown = await findUnknown(ground, request.text)
    return { outcome: 'refused', problems: [...problems, ...unknown], lines }
  }
  const judged = await judgeStanding(ground, request, formula)
  if ('problems' in judged) return { outcome: 'refused', problems: judged.problems, lines }
  return { outcome: 'good', formula, document, ...judged, lines }
}

/**
 * Series and parties that a document names and the workspace does not have, if the document is refused for other
 * reasons.
 */
async function findUnknown(ground: Ground, text: string): Promise<readonly Problem[]> {
  const named = namedSeriesIn(text)
  const data = await ground.data([...new Set(named.map(({ series }) => series))])
  const unknown = named.filter(({ series }) => !data.has(series)).map(({ path, series }) => unknownSeries(path, series))
  return [...unknown, ...(await ground.partyProblems(namedPartiesIn(text)))]
}

/** Checks it against its series, its parties, and the version it continues from. */
async function judgeStanding(
  ground: Ground,
  request: ApplyRequest,
  formula: Formula,
): Promise<{ readonly problems: readonly Problem[] } | Pick<Judged, 'warnings' | 'numbers'>> {
  const { today, habits = nothingKnown } = request
  const data = await ground.data([...new Set(seriesOf(formula.inputs).map(({ series }) => series))])
  const kept = await ground.agreement(formula.slug)
  const found = [
    ...findMisfits(formula, data),
    ...findBreaks(kept, formula),
    ...(await ground.partyProblems(formula.parties)),
    ...findUnchecked(kept, request, formula),
  ]
  if (found.length > 0) return { problems: found }
  const numbers = tryOut(formula, data, today)
  if (!('adjustments' in numbers)) return { problems: numbers }
  return { numbers, warnings: [...lint(formula, { data, today, habits }), ...joinWarnings(formula, data, today)] }
}

/** Problems if it does not continue from the newest version. */
function findBreaks(kept: StoredAgreement | null, formula: Formula): Problem[] {
  const newest = kept?.formulas.at(-1)
  const older = newest === undefined ? null : checkDocument(newest.documentText).formula
  return older === null ? [] : checkSuccession(older, formula)
}

/** An agreement comes into force only once every sentence of its clause that no field holds was checked by hand. */
function findUnchecked(kept: StoredAgreement | null, { clause: given }: ApplyRequest, formula: Formula): Problem[] {
  const newest = kept?.states.at(-1)
  const clause = given ?? newest?.clause ?? null
  const isInForce = newest?.status === 'ACTIVE' && (given === undefined || isSameClause(given, newest.clause))
  if (clause === null || formula.status !== 'ACTIVE' || isInForce) return []
  const open = openSentences(clause)
  if (open.length === 0) return []
  const quoted = open.slice(0, 3).map(sentence => `“${sentence}”`)
  const words = open.length === 1 ? 'one sentence of the clause is' : `${open.length} sentences of the clause are`
  return [
    {
      path: 'status',
      message: `cannot be ACTIVE yet: ${words} not understood and not ticked off: ${quoted.join(', ')}${open.length > 3 ? ' and others' : ''}`,
    },
  ]
}

const isSameClause = (a: KeptClause, b: KeptClause | null) =>
  b !== null && a.text === b.text && canonicalJson([...a.checked]) === canonicalJson([...b.checked])

/** Its numbers. A formula that could never be computed is not stored, or every reader would have to find that out again. */
function tryOut(formula: Formula, data: SeriesData, today: Day): Evaluation | readonly Problem[] {
  const { bound } = bindFormula(formula, data)
  const budget = new WorkBudget(fullWork, () => new OverBudget())
  try {
    const request = { versions: [{ number: 1, bound: bound! }], cuts: noCuts, tag: null, after: null }
    return evaluate({ ...request, until: today, today, work: budget })
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    return [{ path: formula.clause === null ? 'steps' : 'clause', message: `come to ${tooMuchWork().message}` }]
  }
}

class OverBudget extends Error {}

async function write(
  tx: Transaction,
  log: OpenLog,
  { workspaceId, text, by, basedOn, fromAddress, clause: given }: ApplyRequest,
  formula: Formula,
  document: JsonObject,
): Promise<Pick<Applied, 'outcome' | 'id' | 'version'>> {
  const kept = await readAgreement(tx, workspaceId, formula.slug)
  if (basedOn !== undefined) checkBasis(formula.slug, kept, basedOn)
  // A version may have been saved since it was checked.
  const [broken] = findBreaks(kept, formula)
  if (broken !== undefined) throw new Refusal('conflict', `${broken.path}: ${broken.message}`)
  const id = kept?.id ?? (await insertAgreement(tx, log, formula.slug))
  const newest = kept?.formulas.at(-1)
  const calculating = calculatingPart(document)
  const isNewFormula = newest === undefined || canonicalJson(newest.document) !== canonicalJson(calculating)
  const keptClause = kept?.states.at(-1)?.clause ?? null
  const isNewState =
    kept === null || !hasState(kept, formula) || (given !== undefined && !isSameClause(given, keptClause))
  const version = (newest?.version ?? 0) + (isNewFormula ? 1 : 0)
  if (isNewFormula)
    await insertFormula(tx, log, id, {
      version,
      document: calculating,
      documentText: text,
      effectiveFrom: writeDay(formula.effectiveFrom),
      createdBy: by,
    })
  if (isNewState) await insertAgreementState(tx, log, { id, slug: formula.slug }, formula, given ?? keptClause)
  const outcome = kept === null ? 'created' : isNewFormula ? 'new version' : isNewState ? 'changed' : 'unchanged'
  if (outcome !== 'unchanged')
    await noteActivity(tx, workspaceId, {
      who: by,
      what: outcome === 'new version' ? 'new formula version' : `agreement ${outcome}`,
      subject: `${formula.slug} ${version}`,
      fromAddress: fromAddress ?? null,
    })
  return { outcome, id, version }
}

/** The newest position in the sequence at which a formula or its description changed. */
export function revisionOf({ formulas, states }: Pick<StoredAgreement, 'formulas' | 'states'>): number {
  return Math.max(formulas.at(-1)?.seq ?? 0, states.at(-1)?.seq ?? 0)
}

function checkBasis(slug: string, kept: StoredAgreement | null, { version, revision }: Basis): void {
  const newest = kept?.formulas.at(-1)
  if (kept === null || newest === undefined) {
    if (version === 0) return
    throw new Refusal(
      'conflict',
      `there is no agreement "${slug}": an agreement keeps its slug; write the one it was saved under, or begin a new agreement`,
    )
  }
  const saved = `formula ${newest.version}, saved by ${newest.createdBy} on ${onClock(newest.recordedAt)}`
  if (version === 0)
    throw new Refusal(
      'conflict',
      `"${slug}" is taken by ${saved}; choose another slug, or open that agreement and change it`,
    )
  if (version !== newest.version)
    throw new Refusal(
      'conflict',
      `this change was made from formula ${version}, but the newest is ${saved}; look at it and make your change there`,
    )
  if (revision === null || revision === revisionOf(kept)) return
  const state = kept.states.at(-1)!
  throw new Refusal(
    'conflict',
    `its name, status, parties or billing terms were changed on ${onClock(state.recordedAt)}, after you opened it; it is ${state.status} now. Look at it and make your change there`,
  )
}

/** `11 Apr 2024 at 12:30 UTC` */
function onClock(instant: string): string {
  return `${tellDay(instant)} at ${instant.slice(11, 16)} UTC`
}

/** Whether the newest state says the same, apart from the formula. */
function hasState({ states, formulas }: StoredAgreement, formula: Formula): boolean {
  const newest = states.at(-1)
  if (newest === undefined) return false
  const billing = newest.billing ?? billingIn(formulas.at(-1))
  return billing !== null && plainState({ ...newest, billing }) === plainState(formula)
}

/** As in the text of a document, for states from before it was stored with them. */
function billingIn(version: KeptAgreement | undefined): Billing | null {
  return version === undefined ? null : (checkDocument(version.documentText).formula?.billing ?? null)
}

function plainState({ name, description, status, parties, billing }: Descriptions): string {
  const { buyer, supplier } = parties
  const { references, priceDate, prorate } = billing
  return canonicalJson({
    name,
    description,
    status,
    parties: { buyer, supplier },
    billing: { references, priceDate, prorate },
  })
}
