// The head of a table: its columns by name, figures to the right.

interface Column {
  readonly label: string
  readonly isRight?: boolean
  /** For people who cannot see: a column of buttons or signs needs no words above it. */
  readonly isUnseen?: boolean
  /** Left away on narrow screens. */
  readonly isWide?: boolean
  /** Under the first column on narrow screens. */
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
