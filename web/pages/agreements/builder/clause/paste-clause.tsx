// Paste a clause from a contract: every sentence that is understood is underlined, the others are listed with the reason, and the
// form opens filled in with the text beside it.
import { Button, Textarea } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'
import { longestPaste, readPastedClause } from '../../../../../src/core/formula/pasted/pasted-clause.ts'
import { countOf, sentenceCase } from '../../../../components/words/words.ts'
import classes from './clause.module.css'
import { ClauseText } from './clause-text.tsx'

export function PasteClause({ onClause }: { readonly onClause: (text: string) => void }) {
  const [text, setText] = useState('')
  const settled = useDeferredValue(text)
  const { sentences, parts } = useMemo(() => readPastedClause(settled), [settled])
  const understood = sentences.filter(({ kind }) => kind === 'understood')
  const missed = sentences.filter(({ kind }) => kind === 'missed')
  return (
    <section className={classes.paste} aria-labelledby="paste-clause">
      <h2 id="paste-clause" className={classes.pasteTitle}>
        Or paste your contract’s clause
      </h2>
      <Textarea
        aria-label="Clause from your contract"
        placeholder="P = P0 × (0.15 + 0.45 × S/S0 + 0.40 × L/L0). Adjustments below 2 % are not made. Increases are capped at 5 % per year."
        autosize
        minRows={3}
        maxRows={12}
        maxLength={longestPaste}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      {settled.trim() !== '' && (
        <>
          <ClauseText sentences={sentences} />
          <ul className={classes.meanings} aria-live="polite">
            {understood.flatMap(({ words }, i) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the same meaning may appear twice.
              words.map((word, j) => <li key={`${i} ${j}`}>{sentenceCase(word)}</li>),
            )}
            {missed.map(({ text: sentence, why }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same sentence may appear twice.
              <li key={i} data-kind="missed">
                Not understood, so not in the form: “{sentence}” ({why})
              </li>
            ))}
          </ul>
          <Button size="xs" disabled={parts.length === 0} onClick={() => onClause(text)}>
            {parts.length === 0
              ? 'No weighted index found yet'
              : `Fill the form with ${countOf(understood.length, 'sentence')}`}
          </Button>
        </>
      )}
    </section>
  )
}
