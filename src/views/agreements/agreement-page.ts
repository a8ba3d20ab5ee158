// One agreement with everything computed from it so far: its periods, its gaps, the document, and answers to a careful reader's
// questions.
import { revisionOf } from '../../agreements/write-version.ts'
import type { SeriesData } from '../../core/formula/bind.ts'
import { checkDocument } from '../../core/formula/check/check.ts'
import { lint } from '../../core/formula/check/lint.ts'
import type { Formula } from '../../core/formula/formula.ts'
import { restate } from '../../core/formula/restatement.ts'
import { endingsBy } from '../../core/index-changes/index-event.ts'
import { type Cuts, noCuts } from '../../core/series/vintage.ts'
import { formatDay } from '../../core/time/day.ts'
import { providerHabits } from '../../providers/catalogue/catalogue.ts'
import type { Adjustments } from '../../read/agreements/adjustments.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { seriesNamed } from '../series/series-names.ts'
import type { AgreementPage, InputView } from '../shapes/agreements.ts'
import { isCut } from '../sight/cut.ts'
import type { Seat } from '../sight/seat.ts'
import { companyNames, sideView } from '../sight/sides.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { readWaitingNames } from '../sight/waiting-names.ts'
import { agreementListRow } from './agreement-list.ts'
import { withReasons } from './causes.ts'
import { type OpenedAgreement, openAgreement, readNames, readTodays } from './opened-agreement.ts'
import { blockedRow, entryRow, type RowSurroundings } from './period-row.ts'
import { problemViews } from './problem-view.ts'
import { shownSteps } from './signing-view.ts'

export async function showAgreement(
  parts: ViewContext,
  seat: Seat,
  slug: string,
  cuts: Cuts = noCuts,
): Promise<AgreementPage> {
  const at = await openAgreement(parts, seat, slug, cuts)
  const { snapshot, standing, formula, adjustments, index, today, cached } = at
  const { state, billing } = standing
  const names = await readNames(parts, seat)
  const todays = adjustments !== null && standing.signed.length > 0 ? await readTodays(parts, seat, at) : new Map()
  const nameOf = companyNames(index)
  const row = agreementListRow(seat, at, { names, nameOf })
  const newest = standing.versions.at(-1)!.number
  const { documentText: kept, wordsHash } = snapshot.kept.versions.find(({ version }) => version === newest)!
  const documentText = restate(kept, { ...state, billing })
  const data = await parts.library.data(seat.workspace.id, snapshot, null)
  const howEnded = endingsBy(formatDay(today), await parts.library.indexEvents.all(seat.workspace.id))
  const rows =
    adjustments === null
      ? []
      : periodRows(at, adjustments, { names, todays, steps: shownSteps(seat, at, adjustments, isCut(cuts)) })
  const entries = await withReasons(parts, seat, at, rows)
  parts.library.account(cached)
  const { start, end, frequency } = formula.contract
  return {
    // A cut by publication has nothing agreed, only figures of then.
    agreement: cuts.asOf === null ? row : { ...row, settled: null },
    description: state.description,
    parties: { buyer: sideView(state.parties.buyer, nameOf), supplier: sideView(state.parties.supplier, nameOf) },
    documentText,
    hasWords: wordsHash !== null,
    revision: revisionOf(snapshot.kept),
    entries,
    blocked: adjustments?.blocked.map(blockedRow) ?? [],
    inputs: inputViews(formula, index, data),
    warnings: problemViews(
      [
        ...lint(formula, { data, today, habits: providerHabits, howEnded }),
        ...(await readWaitingNames(parts, seat, state.parties)),
      ],
      checkDocument(documentText).lines,
    ),
    contract: { start: formatDay(start), end: end === null ? null : formatDay(end), frequency: frequency.wire },
  }
}

function periodRows(
  { standing, today }: OpenedAgreement,
  adjustments: Adjustments,
  more: Omit<RowSurroundings, 'signOffs'>,
) {
  const surroundings = { signOffs: standing.signOffs, ...more }
  return adjustments.entries(today).map(entry => ({ entry, row: entryRow(entry, surroundings) }))
}

/** Views of the inputs. Series that are not in `data` do not exist for this person. */
export function inputViews({ inputs }: Formula, index: CachedIndex, data: SeriesData): InputView[] {
  return inputs.map(({ name, weight, series }) => ({
    input: name,
    weight: weight?.text ?? null,
    reference: series,
    ...(data.has(series) ? seriesNamed(series, index) : { seriesId: null, name: null }),
  }))
}
