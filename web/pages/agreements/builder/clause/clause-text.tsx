// The text of a pasted clause, sentence by sentence: what was understood is underlined, and a look at it says which fields it
// fills; what was not stands out.
import { Tooltip } from '@mantine/core'
import type { ClauseSentence } from '../../../../../src/core/formula/pasted/pasted-clause.ts'
import classes from './clause.module.css'

interface ClauseTextProps {
  readonly sentences: readonly ClauseSentence[]
  /** Sentences that were ticked off. */
  readonly checked?: readonly string[]
}

export function ClauseText({ sentences, checked = [] }: ClauseTextProps) {
  return (
    <p className={classes.text}>
      {sentences.map((sentence, i) => {
        const key = `${i} ${sentence.kind}`
        if (sentence.kind === 'plain') return <span key={key}>{sentence.text}</span>
        const isChecked = checked.includes(sentence.text)
        return (
          <Tooltip key={key} label={wordsOf(sentence, isChecked)} multiline maw={320} events={allEvents}>
            <span data-kind={isChecked ? 'checked' : sentence.kind}>{sentence.text}</span>
          </Tooltip>
        )
      })}
    </p>
  )
}

const allEvents = { hover: true, focus: true, touch: true }

function wordsOf({ kind, words, why }: ClauseSentence, isChecked: boolean): string {
  if (kind === 'understood') return `In the form: ${words.join('; ')}`
  return isChecked ? 'Not in the form; ticked off by hand' : `Not in the form: ${why}`
}
