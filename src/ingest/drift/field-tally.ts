// Count of the fields of one answer, made in one pass: how often each is there, with which kinds of values.
import { driftLimits } from './drift-limits.ts'

export type FieldKind = 'text' | 'number' | 'boolean' | 'null' | 'object' | 'list'

interface Field {
  readonly kinds: Set<FieldKind>
  count: number
  /** Path of the object it is a member of; null for a field that is no member. */
  readonly parent: string | null
}

export interface FieldTally {
  readonly columns: readonly string[] | null
  readonly fields: ReadonlyMap<string, Field>
  readonly repeated: ReadonlySet<string>
  readonly labels: ReadonlyMap<string, string | null>
}

/** Members that describe figures. */
const describing =
  /^(?:.*[_ ])?(?:units?|unit_measure|unit_mult|base|base_per(?:iod)?|base_year|adjustment|seasonal_adjustment\w*|decimals?|scalar\w*|multiplier|currency|frequency|freq|title|name_of_time_series|series_name|(?:pre|post)Unit)(?:_(?:short|index_base|compl|code|desc))?$/i

export class Tally implements FieldTally {
  columns: readonly string[] | null = null
  readonly fields = new Map<string, Field>()
  readonly repeated = new Set<string>()
  /** Labels by path; null where the answer has several. */
  readonly labels = new Map<string, string | null>()

  count(path: string, kind: FieldKind, parent: string | null): void {
    const field = this.fields.get(path)
    if (field !== undefined) {
      field.count++
      field.kinds.add(kind)
    } else if (this.fields.size < driftLimits.fields)
      this.fields.set(path, { kinds: new Set([kind]), count: 1, parent })
  }

  /** Notes the text of a describing member, as long as it is the same everywhere. */
  describe(path: string, name: string, value: string): void {
    if (!describing.test(name) || value === '' || value.length > driftLimits.labelLength) return
    const held = this.labels.get(path)
    if (held === undefined) this.labels.set(path, value)
    else if (held !== value) this.labels.set(path, null)
  }

  /** Notes a list with a row that stands in it twice; rows with next to no content may. */
  noteRows(path: string, rows: readonly string[]): void {
    if (new Set(rows).size < rows.length) this.repeated.add(path)
  }
}

/** Fields in the stored form, in order of their paths. */
export function fieldsOf({ fields }: FieldTally, loose: RegExp | null): Readonly<Record<string, string>> {
  const paths = [...fields.keys()].sort()
  return Object.fromEntries(
    paths.map(path => {
      const { kinds, count, parent } = fields.get(path)!
      const isAlways = parent === null || (count >= (fields.get(parent)?.count ?? 0) && loose?.test(path) !== true)
      return [path, `${[...kinds].sort().join('|')}${isAlways ? '' : '?'}`]
    }),
  )
}
