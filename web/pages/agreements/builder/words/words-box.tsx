// The box for the contract's own words beside the form: a text is pasted, made plain and split into sentences. Nothing is
// computed from it. The box is closed until somebody wants it: the effect of the document on the price stands below it.
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Sentences } from '../../../../components/agreements/contract-words.tsx'
import { countOf } from '../../../../components/words/words.ts'
import classes from '../builder.module.css'
import type { WordsWork } from './use-words.ts'

export function WordsBox({ work }: { readonly work: WordsWork }) {
  const { text, setText, sentences, taken, problems } = work
  const [isOpen, setOpen] = useState(problems.length > 0)
  return (
    <section className={classes.words} aria-labelledby="part-words">
      <h2 id="part-words" className={classes.partHead}>
        <span>Contract’s own words</span>
        <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : text === '' ? 'Paste them' : 'Read or change'}
        </Button>
      </h2>
      {isOpen && (
        <Textarea
          aria-label="Text from your contract"
          placeholder="Paste the clause as it stands in your contract."
          autosize
          minRows={4}
          maxRows={10}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          error={problems.length === 0 ? null : problems.map(({ message }) => `The sentences ${message}`).join('. ')}
        />
      )}
      <p className={classes.quiet} aria-live="polite">
        {stateOf(sentences.length, taken)}
      </p>
      {isOpen && sentences.length > 0 && <Sentences sentences={sentences} />}
    </section>
  )
}

function stateOf(count: number, taken: number): string {
  if (count === 0)
    return 'The sentences are kept with the version and shown to both parties. No number is computed from them; both parties sign them with every number.'
  const hidden =
    taken === 0 ? '' : ` ${countOf(taken, 'hidden character')} of the text ${taken === 1 ? 'is' : 'are'} left out.`
  return `${countOf(count, 'sentence')}, kept with the version. Both parties sign these sentences.${hidden}`
}
