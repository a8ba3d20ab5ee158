// Many agreements from one table and a template of their clause. The plan shows what each row would become: its numbers, or all
// its problems by line and column. Then all are made at once, or none.
import type { Adjustment, Evaluation } from '../core/calculation/adjustment.ts'
import type { Formula } from '../core/formula/formula.ts'
import { type AgreementRow, columnAt, itemColumn } from '../core/formula/many/agreement-table.ts'
import {
  type AgreementTemplate,
  fillTemplate,
  readTemplate,
  saysPrice,
} from '../core/formula/many/agreement-template.ts'
import { templateOf, templates } from '../core/formula/many/templates.ts'
import { restate } from '../core/formula/restatement.ts'
import type { ProviderHabits } from '../core/formula/series-habits.ts'
import { listBounds } from '../core/prices/list-table.ts'
import { onlyRow, startLabel } from '../core/prices/price-list.ts'
import { formatPct, formatPrice } from '../core/receipt/calculation.ts'
import { type Problem, Refusal } from '../core/refusal.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { type Day, formatDay, parseDay } from '../core/time/day.ts'
import { loadTakenSlugs } from '../storage/agreements/agreement-lists.ts'
import { loadAgreementHistory } from '../storage/agreements/agreements.ts'
import { loadCompanies } from '../storage/people/parties.ts'
import { type Sql, withWorkspace } from '../storage/postgres/database.ts'
import type { Actor } from '../storage/workspaces/activity.ts'
import { applyDocuments } from './apply.ts'
import { type ApplyRequest, judgeAll } from './judge.ts'
import { keepList } from './price-list.ts'

interface ManyRequest {
  readonly workspaceId: string
  readonly rows: readonly AgreementRow[]
  readonly template: AgreementTemplate
  readonly status: 'DRAFT' | 'ACTIVE'
  readonly today: Day
  readonly by: Actor
  readonly habits?: ProviderHabits
}

/** An agreement that a row becomes. */
export interface PlannedAgreement {
  readonly line: number
  readonly slug: string
  readonly name: string
  /** The slug of a party, or addresses; null if nobody signs for the supplier. */
  readonly supplier: string | null
  readonly start: string
  readonly price: string | null
  readonly currency: string | null
  readonly unit: string | null
  /** The only item of its price list; null if it gets none. */
  readonly item: string | null
  readonly first: PlannedNumber | null
  readonly newest: PlannedNumber | null
  /** Dates without a number. */
  readonly blocked: number
  /** Why the first of them has none. */
  readonly reason: string | null
}

interface PlannedNumber {
  readonly period: string
  readonly adjustmentPct: string | null
  readonly price: string | null
}

interface RefusedTable {
  readonly outcome: 'refused'
  /** Problems in order of lines. */
  readonly problems: readonly RowProblem[]
}

/**
 * The template with this name: an agreement of the workspace, or one of the builder's templates. A document of its own is read
 * by readTemplate.
 */
export async function openTemplate(
  sql: Sql,
  workspaceId: string,
  name: string,
  today: Day,
): Promise<AgreementTemplate> {
  const kept = await withWorkspace(sql, workspaceId, tx => loadAgreementHistory(tx, workspaceId, name), 'snapshot')
  const [formula, state] = [kept?.versions.at(-1), kept?.states.at(-1)]
  if (formula !== undefined && state !== undefined) {
    return readTemplate(restate(formula.documentText, state))
  }
  const known = templateOf(name)
  if (known === null)
    throw new Refusal(
      'not-found',
      `there is no agreement and no template "${name}"; templates are ${templates.map(({ id }) => id).join(', ')}`,
    )
  return readTemplate(known.write(Number(formatDay(today).slice(0, 4))))
}

interface PlannedTable {
  readonly outcome: 'good'
  readonly agreements: readonly PlannedAgreement[]
}

/** Plans the agreements; nothing is stored. */
export async function planAgreements(sql: Sql, request: ManyRequest): Promise<PlannedTable | RefusedTable> {
  return planned(request, await requestsOf(sql, request), sql)
}

/** Makes all agreements, or none with every reason. */
export async function makeAgreements(sql: Sql, request: ManyRequest): Promise<PlannedTable | RefusedTable> {
  const requests = await requestsOf(sql, request)
  const plan = await planned(request, requests, sql)
  if (plan.outcome === 'refused') return plan
  // The documents are judged again: their facts may have changed since.
  const applied = await applyDocuments(sql, requests, async (tx, log, ids) => {
    for (const [i, { item, slug, price, currency, start }] of plan.agreements.entries())
      if (item !== null)
        await keepList(tx, log, {
          agreement: { id: ids[i]!, slug },
          by: request.by,
          rows: [onlyRow(item, price!, currency!)],
          start: { from: startLabel, fromDate: parseDay(start)!, ownPriceUntil: null },
          proposal: null,
        })
  })
  const problems = applied.flatMap((each, i) =>
    each?.outcome === 'refused' ? each.problems.map(problem => placeProblem(problem, request.rows[i]!)) : [],
  )
  return problems.length > 0 ? { outcome: 'refused', problems } : plan
}

async function planned(
  { workspaceId, rows }: ManyRequest,
  requests: readonly ApplyRequest[],
  sql: Sql,
): Promise<PlannedTable | RefusedTable> {
  const slugs = rows.map(({ slug }) => slug)
  const taken = await withWorkspace(sql, workspaceId, tx => loadTakenSlugs(tx, workspaceId, slugs), 'snapshot')
  const judged = await judgeAll(sql, requests)
  const agreements: PlannedAgreement[] = []
  const problems: RowProblem[] = []
  for (const [i, row] of rows.entries()) {
    const each = judged[i]!
    const wrong = itemProblems(row, requests[i]!.text)
    if (taken.has(row.slug)) wrong.unshift(placeProblem(takenSlug(row.slug), row))
    else if (each.outcome === 'refused') wrong.unshift(...each.problems.map(problem => placeProblem(problem, row)))
    problems.push(...wrong)
    if (wrong.length === 0 && each.outcome !== 'refused') agreements.push(plannedOf(row, each.formula, each.numbers))
  }
  return problems.length > 0 ? { outcome: 'refused', problems } : { outcome: 'good', agreements }
}

/** `text` is the document that the row becomes. */
function itemProblems({ line, item }: AgreementRow, text: string): RowProblem[] {
  if (item === null) return []
  const messages: string[] = []
  const { length } = [...item]
  if (length > listBounds.keyLength) messages.push(`has at most ${listBounds.keyLength} characters, got ${length}`)
  if (!saysPrice(text)) messages.push('has no price: neither the row nor the template says one')
  return messages.map(message => ({ line, column: itemColumn, message }))
}

const takenSlug = (slug: string): Problem => ({ path: 'slug', message: `there is an agreement "${slug}" already` })

async function requestsOf(sql: Sql, request: ManyRequest): Promise<readonly ApplyRequest[]> {
  const { workspaceId, rows, template, status, today, by, habits } = request
  const companies = await withWorkspace(sql, workspaceId, tx => loadCompanies(tx, workspaceId), 'snapshot')
  const companyOf = (text: string) => {
    const named = companies.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
    return companies.some(({ slug }) => slug === text) ? text : named.length === 1 ? named[0]!.slug : null
  }
  return rows.map(row => ({
    workspaceId,
    text: fillTemplate(template, row, { status, companyOf }),
    by: by.who,
    today,
    // A table makes new agreements only: it never changes one that is there.
    basedOn: { version: 0, revision: null },
    ...(by.fromAddress === null ? {} : { fromAddress: by.fromAddress }),
    ...(habits === undefined ? {} : { habits }),
  }))
}

/** A problem in the column that fills the field, or in no column, with the field named. */
function placeProblem({ path, message }: Problem, { line, cells }: AgreementRow): RowProblem {
  const column = path === 'slug' && !cells.has('slug') ? 'name' : columnAt(path, [...cells.keys()])
  return { line, column: column ?? '', message: column === null && path !== '' ? `${path}: ${message}` : message }
}

function plannedOf(
  { line, item }: AgreementRow,
  formula: Formula,
  { adjustments, blocked }: Evaluation,
): PlannedAgreement {
  const { slug, name, parties, contract } = formula
  const { supplier } = parties
  const [first, newest] = [adjustments[0], adjustments.at(-1)]
  return {
    line,
    slug,
    name,
    supplier:
      supplier === null || supplier.length === 0 ? null : typeof supplier === 'string' ? supplier : supplier.join(', '),
    start: formatDay(contract.start),
    price: contract.price?.text ?? null,
    currency: contract.price?.currency ?? null,
    unit: contract.price?.unit ?? null,
    item,
    first: first === undefined ? null : numberOf(first),
    newest: newest === undefined ? null : numberOf(newest),
    blocked: blocked.length,
    reason: blocked[0]?.gap.sentence ?? null,
  }
}

const numberOf = ({ period, adjustmentPct, show, price }: Adjustment): PlannedNumber => ({
  period,
  adjustmentPct: formatPct(adjustmentPct, show),
  price: price === null ? null : formatPrice(price),
})
