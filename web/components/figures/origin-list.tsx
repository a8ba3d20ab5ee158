// The sources of some figures, each listed once. Files have their full fingerprint, because the list is printed too.

import type { CountedOrigin } from '../words/origin-words.ts'
import { countOf, sentenceCase } from '../words/words.ts'
import classes from './origin-list.module.css'

export function OriginList({ origins }: { readonly origins: readonly CountedOrigin[] }) {
  return (
    <dl className={classes.list}>
      {origins.map(({ words, figures, sha256 }) => (
        <div key={`${words} ${sha256}`}>
          <dt>{countOf(figures, 'figure')}</dt>
          <dd>
            <p>{sentenceCase(words)}</p>
            {sha256 !== null && <p className="mono soft">SHA-256 {sha256}</p>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
