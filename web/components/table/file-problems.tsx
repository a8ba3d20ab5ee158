// What is wrong with the chosen file, by line. Only the first problems are listed when there are very many.

import classes from './file-problems.module.css'
import { ScrollX } from './scroll-x.tsx'

interface FileProblemsProps {
  readonly problems: readonly { readonly line: number | null; readonly message: string }[]
  /** The number of all problems, listed or not. */
  readonly count: number
}

export function FileProblems({ problems, count }: FileProblemsProps) {
  return (
    <>
      <ScrollX label="Problems">
        <table className="ledger">
          <thead>
            <tr>
              <th scope="col" className={`right ${classes.line}`}>
                Line
              </th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ line, message }) => (
              <tr key={`${line} ${message}`}>
                <td className="right">{line ?? 'the file'}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      {count > problems.length && <p className="soft">And {count - problems.length} more, which are not listed.</p>}
    </>
  )
}
