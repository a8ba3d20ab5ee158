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
          ? 'Nothing in the document: only the contract’s own words change.'
          : 'Only its order, its comments or its spelling.'}
      </p>
    )
  return (
    <DataTable
      label="What changed"
      className={classes.changes}
      rows={changes}
      keyOf={({ path }) => path}
      columns={[
        { head: 'Where', className: 'mono', cell: ({ path }) => path },
        {
          head: 'Before',
          cell: ({ before }) => (before === null ? <span className="soft">not there</span> : <del>{before}</del>),
        },
        {
          head: 'After',
          cell: ({ after }) => (after === null ? <span className="soft">removed</span> : <ins>{after}</ins>),
        },
      ]}
    />
  )
}
