// The head of a table: its columns by name, figures to the right.

interface Column {
  readonly label: string
  readonly isRight?: boolean
  /** For people who cannot see: a column of buttons or signs needs no words above it. */
  readonly isUnseen?: boolean
  /** Left away on narrow screens. */
  readonly isWide?: boolean
}

export const right = (label: string): Column => ({ label, isRight: true })
export const unseen = (label: string): Column => ({ label, isUnseen: true })
export const wide = (label: string): Column => ({ label, isWide: true })

export function TableHead({ columns }: { readonly columns: readonly (string | Column)[] }) {
  return (
    <thead>
      <tr>
        {columns.map(given => {
          const column = typeof given === 'string' ? { label: given } : given
          const { label, isRight = false, isUnseen = false, isWide = false } = column
          const names = [isRight ? 'right' : '', isWide ? 'wide' : ''].filter(Boolean).join(' ')
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
