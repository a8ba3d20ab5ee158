// The contract's own words: numbered sentences, quiet and scrollable if they are many; and the changes in them.
import { Fragment } from 'react'
import { Trouble } from '../page/page.tsx'
import { diffLines, hunksOf } from '../words/line-diff.ts'
import { countOf } from '../words/words.ts'
import classes from './contract-words.module.css'
import { useWords } from './queries.ts'

export function Sentences({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section className={classes.words} aria-label="Sentences of the contract" tabIndex={0}>
      <ol>
        {sentences.map((sentence, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same sentence may appear twice.
          <li key={i}>{sentence}</li>
        ))}
      </ol>
    </section>
  )
}

export function WordsOfVersion({ slug, version }: { readonly slug: string; readonly version: number }) {
  const { data, error, refetch } = useWords(slug, version)
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data?.words == null) return null
  return <Sentences sentences={data.words.sentences} />
}

interface WordChangesProps {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Sentences that go and come, each with its number, and a sentence around them. */
export function WordChanges({ before, after }: WordChangesProps) {
  const lines = diffLines(before.join('\n'), after.join('\n'))
  const countKind = (kind: string) => lines.filter(each => each.kind === kind).length
  const [added, removed] = [countKind('added'), countKind('removed')]
  if (added + removed === 0) return <p className="soft">No sentence has changed.</p>
  return (
    <>
      <p className={classes.counts}>
        {countOf(added, 'sentence')} added, {countOf(removed, 'sentence')} removed.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <section className={classes.words} aria-label="Changes of the contract’s own words" tabIndex={0}>
        {hunksOf(lines, 1).map(hunk => (
          <Fragment key={`${hunk[0]!.before} ${hunk[0]!.after}`}>
            {hunk.map(({ kind, text, before: from, after: to }) => (
              <p key={`${from} ${to}`} className={classes.change} data-kind={kind}>
                <span className={classes.number}>{to ?? from}</span>
                <Change kind={kind} text={text} />
              </p>
            ))}
          </Fragment>
        ))}
      </section>
    </>
  )
}

function Change({ kind, text }: { readonly kind: 'same' | 'added' | 'removed'; readonly text: string }) {
  if (kind === 'same') return <span>{text}</span>
  return kind === 'added' ? (
    <ins>
      <span className="unseen">added: </span>
      {text}
    </ins>
  ) : (
    <del>
      <span className="unseen">removed: </span>
      {text}
    </del>
  )
}
