// Paste a clause from a contract: every piece that is understood is marked, what is not understood stands out, and the form
// opens filled in.
import { Button, Textarea } from '@mantine/core'
import { useMemo, useState } from 'react'
import { longestPaste, type PastedClause, readPastedClause } from '../../../../../src/core/formula/pasted-clause.ts'
import { countOf } from '../../../../components/words/words.ts'
import classes from '../builder.module.css'

export function PasteClause({ onClause }: { readonly onClause: (clause: PastedClause) => void }) {
  const [text, setText] = useState('')
  const clause = useMemo(() => readPastedClause(text), [text])
  const missed = clause.pieces.filter(({ meaning }) => meaning === null)
  const understood = clause.pieces.filter(({ meaning }) => meaning !== null && meaning !== '')
  return (
    <section className={classes.paste} aria-labelledby="paste-clause">
      <h2 id="paste-clause" className={classes.templateTitle}>
        Or paste your contract’s clause
      </h2>
      <Textarea
        aria-label="Clause from your contract"
        placeholder="0.15 + 0.45 steel + 0.40 labour, cap 5 % a year, threshold 2 %"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={longestPaste}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      {text.trim() !== '' && (
        <>
          <p className={classes.pieces} aria-hidden="true">
            {clause.pieces.map(({ text: piece, meaning }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified only by its position in the text.
              <span key={i} data-kind={meaning === null ? 'missed' : meaning === '' ? 'joint' : 'understood'}>
                {piece}
              </span>
            ))}
          </p>
          <ul className={classes.meanings} aria-live="polite">
            {understood.map(({ meaning }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same meaning may appear twice.
              <li key={i}>{meaning}</li>
            ))}
            {missed.length > 0 && (
              <li data-kind="missed">
                Not understood, so not in the form: {missed.map(({ text: piece }) => `“${piece.trim()}”`).join(', ')}
              </li>
            )}
          </ul>
          <Button size="xs" disabled={clause.parts.length === 0} onClick={() => onClause(clause)}>
            {clause.parts.length === 0
              ? 'No weighted index found yet'
              : `Fill the form with ${countOf(understood.length, 'piece')}`}
          </Button>
        </>
      )}
    </section>
  )
}
