// The pasted clause beside the form, while its lines are checked: what each sentence became, and the sentences that no field holds.
// The agreement can be made active once each of them is ticked off.
import { Checkbox } from '@mantine/core'
import { useMemo } from 'react'
import { readPastedClause } from '../../../../../src/core/formula/pasted/pasted-clause.ts'
import { andList } from '../../../../../src/core/text/words.ts'
import { State } from '../../../../components/figures/figures.tsx'
import { countOf, sentenceCase } from '../../../../components/words/words.ts'
import classes from './clause.module.css'
import { ClauseText } from './clause-text.tsx'
import type { ClauseWork } from './use-clause.ts'

interface ClausePanelProps {
  readonly work: ClauseWork
  /** What the text does not say, where the form has values to start with. */
  readonly unsaid: readonly string[]
}

export function ClausePanel({ work: { clause, tick }, unsaid }: ClausePanelProps) {
  const { text, checked } = clause
  const sentences = useMemo(() => readPastedClause(text).sentences, [text])
  const missed = useMemo(() => sentences.filter(({ kind }) => kind === 'missed'), [sentences])
  const open = missed.filter(each => !checked.includes(each.text)).length
  const understood = sentences.filter(({ kind }) => kind === 'understood').length
  return (
    <section className={classes.panel} aria-labelledby="part-pasted">
      <h2 id="part-pasted" className={classes.head}>
        Your clause
      </h2>
      <p className={classes.state}>
        {countOf(understood, 'sentence is in the form', 'sentences are in the form')}
        {missed.length > 0 && (
          <>
            {' · '}
            {open === 0 ? (
              <State kind="good">{countOf(missed.length, 'other', 'others')} ticked off</State>
            ) : (
              <State kind="waiting">{open} to check by hand</State>
            )}
          </>
        )}
      </p>
      <ClauseText sentences={sentences} checked={checked} />
      {missed.length > 0 && (
        <fieldset className={classes.missed}>
          <legend>
            Not in the form. Tick off what it need not hold; the agreement can be made active once all are ticked.
          </legend>
          {missed.map(({ text: sentence, why }, i) => (
            <Checkbox
              // biome-ignore lint/suspicious/noArrayIndexKey: the same sentence may appear twice.
              key={i}
              label={sentence}
              description={why === null ? null : sentenceCase(why)}
              checked={checked.includes(sentence)}
              onChange={event => tick(sentence, event.currentTarget.checked)}
            />
          ))}
        </fieldset>
      )}
      {unsaid.length > 0 && (
        <p className={classes.unsaid}>
          The text does not say {andList(unsaid)}. The form has values to start with there: check them.
        </p>
      )}
    </section>
  )
}
