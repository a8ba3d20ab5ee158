// Two texts with their removed and added lines, and some context around each change.
import { useMemo } from 'react'
import { diffLines, hunksOf } from '../../../../components/words/line-diff.ts'
import classes from '../builder.module.css'

const signs = { same: ' ', removed: '−', added: '+' } as const
const words = { same: '', removed: 'removed: ', added: 'added: ' } as const

export function DiffView({ before, after }: { readonly before: string; readonly after: string }) {
  const hunks = useMemo(() => hunksOf(diffLines(before, after), 2), [before, after])
  if (hunks.length === 0) return <p className={classes.quiet}>The texts are the same.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={classes.diff} tabIndex={0} aria-label="Difference">
      {hunks.map(hunk => {
        const first = hunk[0]!
        return (
          <div key={`${first.before} ${first.after}`} className={classes.hunk}>
            {hunk.map(line => (
              <div key={`${line.before} ${line.after}`} className={classes.diffLine} data-kind={line.kind}>
                <span className={classes.diffNumber} aria-hidden="true">
                  {line.after ?? line.before}
                </span>
                <span aria-hidden="true">{signs[line.kind]}</span>
                <code>
                  <span className="unseen">{words[line.kind]}</span>
                  {line.text === '' ? '\u00a0' : line.text}
                </code>
              </div>
            ))}
          </div>
        )
      })}
    </section>
  )
}
