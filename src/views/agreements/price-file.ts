// A price file as a person takes it from a page: of one agreement or of all visible ones, with the list of missing prices. The keys
// of other systems are the buyer's; a supplier gets the file without them.
import type { RowsOfAgreement } from '../../core/prices/price-rows.ts'
import { Refusal } from '../../core/refusal.ts'
import { formatDay, parseDay } from '../../core/time/day.ts'
import { exportPrices } from '../../formats/price-files/price-export.ts'
import { formatMissingPartners, missingPartners } from '../../formats/price-files/sap-fields.ts'
import { limits } from '../../limits.ts'
import type { PriceFileRequest } from '../calls/invoice-calls.ts'
import type { PriceFile } from '../shapes/invoices.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { partsSeen } from '../sight/visibility.ts'
import { noSuchAgreement, todayOf } from './opened-agreement.ts'

export async function makePriceFile(parts: ViewContext, seat: Seat, request: PriceFileRequest): Promise<PriceFile> {
  const { format, only = 'agreed', agreement, periodValidity } = request
  const { library } = parts
  const workspaceId = seat.workspace.id
  const today = todayOf(parts)
  const index = await library.index(workspaceId)
  const partOf = partsSeen(seat, index, 'in force')
  const id = agreement === undefined ? null : index.agreementId(agreement)
  if (id === undefined || (id !== null && partOf(id) === undefined)) throw noSuchAgreement()
  const wanted = {
    knownAt: null,
    until: today,
    partOf,
    ids: id === null ? null : new Set([id]),
    ...(request.date === undefined ? {} : { date: dayOf(request.date), withProposed: true }),
  }
  const agreements: RowsOfAgreement[] = []
  let rows = 0
  for await (const each of library.prices.rowsOfAll(workspaceId, wanted)) {
    agreements.push(seat.role === 'supplier' ? withoutKeys(each) : each)
    rows += each.rows.length
    if (rows > limits.ext.filePrices)
      throw new Refusal('too-large', `a file has at most ${limits.ext.filePrices} prices; take those of one day`)
  }
  const set = readSet(request.set ?? '')
  const file = exportPrices(format, agreements, {
    only,
    set,
    decimals: null,
    periodValidity: periodValidity === 'true',
  })
  if ('problems' in file) throw new Refusal('invalid', file.problems.map(({ message }) => message).join('; '))
  const isXml = format === 'sap-idoc'
  const ending = isXml ? 'xml' : format === 'json' ? 'json' : 'csv'
  return {
    name: `${agreement ?? seat.workspace.slug}-${format}-${formatDay(today)}.${ending}`,
    type: isXml ? 'application/xml' : format === 'json' ? 'application/json' : 'text/csv',
    text: file.text,
    count: file.count,
    leftOut: file.leftOut.slice(0, limits.pagePrices),
    leftOutCount: file.leftOut.length,
    missing: formatMissingPartners(missingPartners(format, set)),
  }
}

function dayOf(text: string) {
  const day = parseDay(text)
  if (day === null) throw new Refusal('invalid', `date must be a day such as 2024-05-17, got "${text}"`)
  return day
}

function withoutKeys({ rows, ...rest }: RowsOfAgreement): RowsOfAgreement {
  return { ...rest, rows: rows.map(row => ({ ...row, erp: {} })) }
}

function readSet(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return new Map(
    lines.map(line => {
      const at = line.indexOf('=')
      if (at < 1)
        throw new Refusal('invalid', `fields are written NAME=VALUE, each on a line of its own; got "${line}"`)
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const
    }),
  )
}
