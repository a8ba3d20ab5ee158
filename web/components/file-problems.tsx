// What is wrong with a file that was chosen, by line. Of very many problems only the first are listed.

import classes from './file-problems.module.css'
import { ScrollX } from './scroll-x.tsx'

interface FileProblemsProps {
  readonly problems: readonly { readonly line: number | null; readonly message: string }[]
  /** All of them, listed or not. */
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
