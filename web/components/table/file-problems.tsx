// Problems of the chosen file, by line. Only the first problems are listed when there are very many.

import { DataTable } from './data-table.tsx'
import classes from './file-problems.module.css'

interface FileProblemsProps {
  readonly problems: readonly { readonly line: number | null; readonly message: string }[]
  /** The number of all problems, listed or not. */
  readonly count: number
}

export function FileProblems({ problems, count }: FileProblemsProps) {
  return (
    <>
      <DataTable
        label="Problems"
        rows={problems}
        keyOf={({ line, message }) => `${line} ${message}`}
        columns={[
          { head: 'Line', isRight: true, headClass: classes.line, cell: ({ line }) => line ?? 'the file' },
          { head: 'Problem', cell: ({ message }) => message },
        ]}
      />
      {count > problems.length && <p className="soft">And {count - problems.length} more, which are not listed.</p>}
    </>
  )
}
