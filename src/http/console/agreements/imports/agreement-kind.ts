// Many agreements from a page: the outcome of each table row under a template of the clause, then all of them at once.
import {
  makeAgreements,
  openTemplate,
  type PlannedAgreement,
  planAgreements,
} from '../../../../agreements/from-table.ts'
import { Refusal } from '../../../../core/refusal.ts'
import { writers } from '../../../../core/roles.ts'
import { readAgreementTable } from '../../../../import/agreement-table.ts'
import { providerHabits as habits } from '../../../../providers/catalogue/catalogue.ts'
import { todayOf } from '../../../../views/agreements/opened-agreement.ts'
import type { TableChange, TableResult } from '../../../../views/shapes/imports.ts'
import { actorOf } from '../../../../views/sight/seat.ts'
import {
  type FileToRead,
  type KindOfImport,
  nothingChanged,
  presentProblems,
  readAs,
  refusedTable,
} from './import-kind.ts'

export const agreementKind: KindOfImport<TableResult> = {
  files: ['csv', 'xlsx'],
  previewers: writers,
  importers: writers,
  preview: plan,
  async import(file) {
    const { request, problems, notes } = await readRequest(file)
    if (problems.length > 0) return refusedTable(file, 'agreements', { problems, notes })
    const made = await makeAgreements(file.sql, request)
    if (made.outcome === 'refused') return refusedTable(file, 'agreements', { problems: made.problems, notes })
    await file.parts.catchUp()
    return resultOf(file, made.agreements, notes)
  },
}

async function plan(file: FileToRead): Promise<TableResult> {
  const { request, problems, notes } = await readRequest(file)
  if (problems.length > 0) return refusedTable(file, 'agreements', { problems, notes })
  const planned = await planAgreements(file.sql, request)
  if (planned.outcome === 'refused') return refusedTable(file, 'agreements', { problems: planned.problems, notes })
  return resultOf(file, planned.agreements, notes)
}

async function readRequest({ sql, seat, request, parts, source }: FileToRead) {
  const { agreement: name, status } = request
  if (name === null) throw new Refusal('invalid', 'say which agreement or template they are made from')
  const [workspaceId, today] = [seat.workspace.id, todayOf(parts)]
  const template = await openTemplate(sql, workspaceId, name, today)
  const { rows, problems, notes } = await readAgreementTable(source(), template.places)
  return { request: { workspaceId, rows, template, status, today, by: actorOf(seat), habits }, problems, notes }
}

function resultOf(file: FileToRead, agreements: readonly PlannedAgreement[], notes: readonly string[]): TableResult {
  return {
    ...readAs(file, notes),
    kind: 'agreements',
    ...presentProblems([]),
    counts: { ...nothingChanged, added: agreements.length },
    changes: agreements.map(changeOf),
    list: null,
    agreements,
  }
}

function changeOf({ name, slug, supplier, price, currency, unit, item, newest }: PlannedAgreement): TableChange {
  const after = price === null ? null : `${price} ${currency}${unit === null ? '' : ` per ${unit}`}`
  const now = newest === null ? null : { before: null, after: newest.price, isAgreed: false }
  return {
    name,
    about: [slug, ...[supplier, item].filter(each => each !== null)],
    before: null,
    after: after ?? '',
    now,
  }
}
