// The head of a table: column names, with those of figures aligned right.

interface Column {
  readonly label: string
  readonly isRight?: boolean
  /** For screen readers only: a column of buttons or icons needs no visible heading. */
  readonly isUnseen?: boolean
  /** Hidden on narrow screens. */
  readonly isWide?: boolean
  /** Shown under the first column on narrow screens. */
  readonly isFolded?: boolean
}

export const right = (label: string): Column => ({ label, isRight: true })
export const unseen = (label: string): Column => ({ label, isUnseen: true })
export const wide = (label: string): Column => ({ label, isWide: true })

export const folded = (column: Column): Column => ({ ...column, isFolded: true })

export function TableHead({ columns }: { readonly columns: readonly (string | Column)[] }) {
  return (
    <thead>
      <tr>
        {columns.map(given => {
          const column = typeof given === 'string' ? { label: given } : given
          const { label, isRight = false, isUnseen = false, isWide = false, isFolded = false } = column
          const names = [isRight ? 'right' : '', isWide ? 'wide' : '', isFolded ? 'on-wide' : '']
            .filter(Boolean)
            .join(' ')
          return (
            <th key={label} scope="col" className={names || undefined}>
              {isUnseen ? <span className="unseen">{label}</span> : label}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
