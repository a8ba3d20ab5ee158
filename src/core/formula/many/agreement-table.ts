// Many agreements as a table, one row each: its columns, and the field of a document that each of them fills. The check of the
// document judges the cells.
import { HeadedTable } from '../../series/headed-table.ts'
import type { RowProblem } from '../../series/table-problems.ts'
import { slugOf } from '../../text/slug.ts'

/** The columns and the fields they fill. */
const fields = {
  slug: 'slug',
  name: 'name',
  description: 'description',
  supplier: 'parties.supplier',
  buyer: 'parties.buyer',
  price: 'contract.price.amount',
  currency: 'contract.price.currency',
  unit: 'contract.price.unit',
  start: 'contract.start',
  end: 'contract.end',
  first_adjustment: 'contract.firstAdjustment',
  frequency: 'contract.frequency',
  references: 'contract.references',
} as const
/** The only item of its price list: no field of the document. */
export const itemColumn = 'item'
type AgreementColumn = keyof typeof fields | typeof itemColumn
export const agreementColumns = [...(Object.keys(fields) as (keyof typeof fields)[]), itemColumn] as const

const tableOfAgreements = { rows: 2_000 } as const

export interface AgreementRow {
  readonly line: number
  /** The slug, written or made from the name. */
  readonly slug: string
  /** The key of its price in a price list of its own; null: its price has none. */
  readonly item: string | null
  /** Cells by column, without the empty ones. */
  readonly cells: ReadonlyMap<string, string>
}

/** The field of the document that a column fills; a column may also be called by its field, `inputs.steel.base`. */
export function fieldOf(column: string): string {
  return Object.hasOwn(fields, column) ? fields[column as keyof typeof fields] : column
}

/** The column for a problem of a document: that of its field, of the nearest field around it, or none. */
export function columnAt(path: string, columns: readonly string[]): string | null {
  const near = columns.filter(column => isNear(fieldOf(column), path))
  return near.sort((a, b) => fieldOf(b).length - fieldOf(a).length)[0] ?? null
}

function isNear(field: string, path: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`) || field.startsWith(`${path}.`)
}

const documentField = /^(?:contract|inputs|clause|params|parties|corrections)(?:\.[\p{L}\p{N}_]+)+$/u

/** Takes the header, then the rows. `places` are the named places of the template: a column may fill each of them. */
export class AgreementTable extends HeadedTable<AgreementColumn> {
  readonly #rows: AgreementRow[] = []
  readonly #lines = new Map<string, number>()
  readonly #isPlace: (name: string) => boolean
  #header: readonly string[] = []

  constructor(places: readonly string[]) {
    const problemOf = (name: string) => (places.includes(name) || documentField.test(name) ? null : undefined)
    const words =
      places.length === 0
        ? 'fields such as inputs.steel.base'
        : `${places.join(', ')} and fields such as inputs.steel.base`
    super(
      { columns: agreementColumns, required: [], others: { words, problemOf } },
      { rows: tableOfAgreements.rows, message: `the table has more than ${tableOfAgreements.rows} agreements` },
    )
    this.#isPlace = name => places.includes(name)
  }

  finish(): { readonly rows: readonly AgreementRow[]; readonly problems: readonly RowProblem[] } {
    const problems = this.allProblems('the table has no agreements')
    return problems.length > 0 ? { rows: [], problems } : { rows: this.#rows, problems }
  }

  protected override headerRead(cells: readonly string[], line: number): void {
    this.#header = cells.map(cell => cell.trim())
    if (!this.#header.includes('slug') && !this.#header.includes('name'))
      this.refuse(line, 'name', 'a column name or slug is needed')
  }

  protected override readRow(cells: readonly string[], line: number): void {
    const written = this.#header
      .map((column, i) => [column, cells[i]!.trim()] as const)
      .filter(([, text]) => text !== '')
    const own = new Map(written)
    const named = own.has('slug') || !this.#header.includes('name') ? 'slug' : 'name'
    const slug = own.get('slug') ?? slugOf(own.get('name') ?? '')
    if (slug === '') return void this.refuse(line, named, 'is empty, so the agreement has no address')
    const control = written.find(([, text]) => /\p{Cc}/u.test(text))
    if (control !== undefined) return void this.refuse(line, control[0], 'contains a control character')
    const twin = this.#lines.get(slug)
    if (twin !== undefined) return void this.refuse(line, named, `line ${twin} is called ${slug} as well`)
    this.#lines.set(slug, line)
    const item = this.#isPlace(itemColumn) ? null : (own.get(itemColumn) ?? null)
    this.#rows.push({ line, slug, item, cells: own })
  }
}
