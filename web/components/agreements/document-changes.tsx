// Differences between two documents, key by key.
import type { ChangeView } from '../../../src/views/shapes/versions.ts'
import { DataTable } from '../table/data-table.tsx'
import classes from './document-changes.module.css'

interface DocumentChangesProps {
  readonly changes: readonly ChangeView[]
  /** Whether the contract's own words changed with it. */
  readonly isReworded: boolean
}

export function DocumentChanges({ changes, isReworded }: DocumentChangesProps) {
  if (changes.length === 0)
    return (
      <p className="soft">
        {isReworded
          ? 'The document stays the same; only the contract’s own words change.'
          : 'Only the order, the comments or the spelling of the document change.'}
      </p>
    )
  return (
    <DataTable
      label="Changes"
      className={classes.changes}
      rows={changes}
      keyOf={({ path }) => path}
      columns={[
        { head: 'Field', className: 'mono', cell: ({ path }) => path },
        {
          head: 'Before',
          cell: ({ before }) => (before === null ? <span className="soft">none</span> : <del>{before}</del>),
        },
        {
          head: 'After',
          cell: ({ after }) => (after === null ? <span className="soft">removed</span> : <ins>{after}</ins>),
        },
      ]}
    />
  )
}
