// Judgement of a formula document before anything is stored: whether it can be read, fits its series and its parties, continues
// from the version before it, and can be computed. All problems are reported at once.

import type { Evaluation } from '../core/calculation/adjustment.ts'
import { evaluate } from '../core/calculation/evaluate.ts'
import { bindFormula, findMisfits, type SeriesData, unknownSeries } from '../core/formula/bind.ts'
import type { JsonObject } from '../core/formula/canonical.ts'
import { type CheckedDocument, checkDocument } from '../core/formula/check/check.ts'
import { seriesOf } from '../core/formula/check/check-inputs.ts'
import { successorsOf } from '../core/formula/check/check-successor.ts'
import { lint } from '../core/formula/check/lint.ts'
import type { Formula } from '../core/formula/formula.ts'
import { namedPartiesIn } from '../core/formula/named-parties.ts'
import { namedSeriesIn } from '../core/formula/named-series.ts'
import { nothingKnown, type ProviderHabits } from '../core/formula/series-habits.ts'
import { checkSuccession } from '../core/formula/succession.ts'
import { type ContractWords, findWordsProblems } from '../core/formula/words/contract-words.ts'
import { joinWarnings } from '../core/index-changes/join-advice.ts'
import { fullWork, tooMuchWork, WorkBudget } from '../core/numbers/work-budget.ts'
import { parties as partyNames } from '../core/parties.ts'
import type { Problem } from '../core/refusal.ts'
import { noCuts } from '../core/series/vintage.ts'
import { isOneLine, oneLineRule } from '../core/text/one-line.ts'
import type { Day } from '../core/time/day.ts'
import { type AgreementHistory, loadAgreementHistory, loadWords } from '../storage/agreements/agreements.ts'
import { type Sql, type Transaction, withWorkspace } from '../storage/postgres/database.ts'
import { loadSeriesData } from './locked-agreement.ts'
import { findPartyProblems, loadPartyGround, type PartyDirectory } from './party-check.ts'

export interface ApplyRequest {
  readonly workspaceId: string
  readonly text: string
  /** The text as it was read; left out, it is read here. */
  readonly checked?: CheckedDocument
  readonly by: string
  readonly today: Day
  /** The version the change was made from; left out, it applies to any. */
  readonly basedOn?: Basis
  readonly fromAddress?: string
  /** Known habits of providers' series, for the warnings; without them, warnings are based on the figures alone. */
  readonly habits?: ProviderHabits
  /** The contract's own words; null for none, undefined to keep those of the version before. */
  readonly words?: ContractWords | null | undefined
  /** Why, in words, where both have to agree on it. */
  readonly reason?: string
}

/** The state from which somebody began to edit: a change made in between must not be lost. */
export interface Basis {
  /** Number of the version; 0 for an agreement that does not exist yet. */
  readonly version: number
  /** The newest position in the sequence that the editor saw; null if only the version is known. */
  readonly revision: number | null
}

export interface Refused {
  readonly outcome: 'refused'
  readonly problems: readonly Problem[]
  readonly lines: ReadonlyMap<string, number>
}

/** Judges documents of one workspace: the result of each, or why it is refused, in the order given. Nothing is stored. */
export async function judgeAll(
  sql: Sql,
  requests: readonly ApplyRequest[],
): Promise<readonly (JudgedDocument | Refused)[]> {
  const [first] = requests
  if (first === undefined) return []
  return withWorkspace(
    sql,
    first.workspaceId,
    async tx => {
      const ground = new DocumentContext(tx, first.workspaceId)
      const judged: (JudgedDocument | Refused)[] = []
      for (const request of requests) judged.push(await judge(ground, request))
      return judged
    },
    'snapshot',
  )
}

/**
 * The facts that documents are judged by, as of one moment. Many documents read the same series and are between the same parties:
 * both are loaded once.
 */
export class DocumentContext {
  readonly #tx: Transaction
  readonly #workspaceId: string
  readonly #series = new Map<string, SeriesData>()
  readonly #agreements = new Map<string, AgreementHistory>()
  #parties: Promise<PartyDirectory> | null = null
  #together: { readonly references: ReadonlySet<string>; readonly data: SeriesData } | null = null

  constructor(tx: Transaction, workspaceId: string) {
    this.#tx = tx
    this.#workspaceId = workspaceId
  }

  /** Prepares for many documents: agreements that were read in the same transaction, and the series of all of them at once. */
  async prepare(agreements: readonly AgreementHistory[], references: readonly string[]): Promise<void> {
    for (const each of agreements) this.#agreements.set(each.slug, each)
    const wanted = [...new Set(references)]
    const data = await loadSeriesData(this.#tx, this.#workspaceId, wanted)
    this.#together = { references: new Set(wanted), data }
  }

  async data(references: readonly string[]): Promise<SeriesData> {
    const key = JSON.stringify([...references].sort())
    const known = this.#series.get(key)
    if (known !== undefined) return known
    const data = this.#among(references) ?? (await loadSeriesData(this.#tx, this.#workspaceId, references))
    this.#series.set(key, data)
    return data
  }

  #among(references: readonly string[]): SeriesData | null {
    const together = this.#together
    if (together === null || !references.every(each => together.references.has(each))) return null
    return new Map(
      references.flatMap(each => {
        const history = together.data.get(each)
        return history === undefined ? [] : [[each, history] as const]
      }),
    )
  }

  async agreement(slug: string): Promise<AgreementHistory | null> {
    return this.#agreements.get(slug) ?? (await loadAgreementHistory(this.#tx, this.#workspaceId, slug))
  }

  /** Contract words of the newest version. */
  async words({ id, versions }: Pick<AgreementHistory, 'id' | 'versions'>): Promise<ContractWords | null> {
    const newest = versions.at(-1)
    if (newest === undefined || newest.wordsHash === null) return null
    const [kept] = await loadWords(this.#tx, this.#workspaceId, [{ agreementId: id, version: newest.version }])
    return kept?.words ?? null
  }

  partyProblems(parties: Formula['parties']): Promise<readonly Problem[]> {
    return findPartyProblems(parties, () => {
      this.#parties ??= loadPartyGround(this.#tx, this.#workspaceId)
      return this.#parties
    })
  }
}

/** A document without problems. */
export interface JudgedDocument {
  readonly outcome: 'good'
  readonly formula: Formula
  readonly document: JsonObject
  readonly warnings: readonly Problem[]
  readonly lines: ReadonlyMap<string, number>
  /** Numbers of the agreement, from the figures of today. */
  readonly numbers: Evaluation
}

export async function judge(ground: DocumentContext, request: ApplyRequest): Promise<JudgedDocument | Refused> {
  const { formula, document, problems, lines } = request.checked ?? checkDocument(request.text)
  if (formula === null) {
    const unknown = await findUnknown(ground, request.text)
    const unfit = request.words == null ? [] : findWordsProblems(request.words, null)
    return { outcome: 'refused', problems: [...problems, ...unknown, ...unfit], lines }
  }
  const judged = await judgeStanding(ground, request, { formula, document })
  if ('problems' in judged) return { outcome: 'refused', problems: judged.problems, lines }
  return { outcome: 'good', formula, document, ...judged, lines }
}

/**
 * Series and parties that a document names and the workspace does not have, if the document is refused for other
 * reasons.
 */
async function findUnknown(ground: DocumentContext, text: string): Promise<readonly Problem[]> {
  const named = namedSeriesIn(text)
  const data = await ground.data([...new Set(named.map(({ series }) => series))])
  const unknown = named.filter(({ series }) => !data.has(series)).map(({ path, series }) => unknownSeries(path, series))
  return [...unknown, ...(await ground.partyProblems(namedPartiesIn(text)))]
}

/** Checks it against its series, its parties, and the version it continues from. */
async function judgeStanding(
  ground: DocumentContext,
  request: ApplyRequest,
  { formula, document }: Pick<JudgedDocument, 'formula' | 'document'>,
): Promise<{ readonly problems: readonly Problem[] } | Pick<JudgedDocument, 'warnings' | 'numbers'>> {
  const { today, habits = nothingKnown } = request
  const data = await ground.data([...new Set(seriesOf(formula.inputs).map(({ series }) => series))])
  const planned = successorsOf(formula.inputs)
  const known = planned.length === 0 ? data : await ground.data([...new Set(planned.map(({ series }) => series))])
  const kept = await ground.agreement(formula.slug)
  const found = [
    ...findMisfits(formula, data),
    ...planned.filter(({ series }) => !known.has(series)).map(({ path, series }) => unknownSeries(path, series)),
    ...findBreaks(kept, formula),
    ...(await ground.partyProblems(formula.parties)),
    ...(await findUnfitWords(ground, kept, request, document)),
    ...findHiddenSigns(kept, formula),
  ]
  if (found.length > 0) return { problems: found }
  const numbers = tryOut(formula, data, today)
  if (!('adjustments' in numbers)) return { problems: numbers }
  return { numbers, warnings: [...lint(formula, { data, today, habits }), ...joinWarnings(formula, data, today)] }
}

/** Problems if it does not continue from the newest version. */
export function findBreaks(kept: AgreementHistory | null, formula: Formula): Problem[] {
  const newest = kept?.versions.at(-1)
  const older = newest === undefined ? null : checkDocument(newest.documentText).formula
  return older === null ? [] : checkSuccession(older, formula)
}

/** Hidden signs in texts of one line that are new; those that the agreement has already stay. */
function findHiddenSigns(kept: AgreementHistory | null, formula: Formula): Problem[] {
  const hidden = lineTexts(formula).filter(({ text }) => !isOneLine(text))
  if (hidden.length === 0) return []
  const [state, newest] = [kept?.states.at(-1), kept?.versions.at(-1)]
  const older = newest === undefined ? null : checkDocument(newest.documentText).formula
  const known = new Set([state?.name, ...(older === null ? [] : lineTexts(older).map(({ text }) => text))])
  return hidden
    .filter(({ text }) => !known.has(text))
    .map(({ path, text }) => ({ path, message: `${oneLineRule}, got ${JSON.stringify(text)}` }))
}

function lineTexts({ name, contract, billing, parties }: Formula): readonly { path: string; text: string }[] {
  const addresses = partyNames.flatMap(party => {
    const side = parties[party]
    return typeof side === 'string' || side === null ? [] : side.map(text => ({ path: `parties.${party}`, text }))
  })
  return [
    { path: 'name', text: name },
    { path: 'contract.price.unit', text: contract.price?.unit ?? '' },
    ...billing.references.map((text, i) => ({ path: `contract.references[${i}]`, text })),
    ...addresses,
  ]
}

/** Problems of the words that are given; for words that stay, the links whose place is gone from the document. */
async function findUnfitWords(
  ground: DocumentContext,
  kept: AgreementHistory | null,
  { words }: ApplyRequest,
  document: JsonObject,
): Promise<readonly Problem[]> {
  const standing = words === undefined && kept !== null ? await ground.words(kept) : (words ?? null)
  return standing === null ? [] : findWordsProblems(standing, document)
}

/**
 * Computes the numbers. A formula that could never be computed is not stored, or every reader would have to find that out again.
 */
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
