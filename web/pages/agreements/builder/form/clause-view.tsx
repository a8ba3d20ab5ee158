// The document as a form that reads like the clause.
import { Button } from '@mantine/core'
import { andList } from '../../../../../src/core/text/words.ts'
import { IconInfo } from '../../../../components/page/icons.tsx'
import { Empty } from '../../../../components/page/page.tsx'
import { sentenceCase } from '../../../../components/words/words.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { hasAt, setAll } from '../document/document.ts'
import type { View } from '../places.ts'
import { ClauseForm } from './clause-form.tsx'
import { ContractForm } from './contract-form.tsx'
import { InputsForm } from './input-form.tsx'
import { ParamLine } from './param-line.tsx'
import { formatNotShownInWords } from './sentences.ts'

export function ClauseView({ show }: { readonly show: (view: View) => void }) {
  const { document, change } = useBuilder()
  const { root, unreadable } = document
  if (unreadable !== null) return <Unreadable words={unreadable} show={show} />
  const rest = formatNotShownInWords(root)
  const hasSteps = hasAt(root, ['steps'])
  return (
    <>
      <ContractForm />
      <InputsForm />
      {hasAt(root, ['clause']) ? (
        <ClauseForm />
      ) : (
        <section className={classes.part} aria-labelledby="part-clause">
          <h2 id="part-clause" className={classes.partHead}>
            Clause
          </h2>
          {hasSteps ? (
            <p className={classes.quiet}>
              This document works by steps, not by a clause.{' '}
              <button type="button" className={classes.textButton} onClick={() => show('steps')}>
                Edit the steps
              </button>
            </p>
          ) : (
            <p className={classes.quiet}>
              The document does not say yet how the price moves.{' '}
              <button
                type="button"
                className={classes.textButton}
                onClick={() => change(text => setAll(text, [[['clause', 'rounding', 'total'], { dp: '2' }]]))}
              >
                Start a clause
              </button>
            </p>
          )}
          {hasAt(root, ['params']) && <ParamLine />}
        </section>
      )}
      {rest.length > 0 && (
        <p className={classes.alsoHas}>
          <IconInfo />
          <span>
            This document also has {andList(rest)}, kept as it is.{' '}
            <button
              type="button"
              className={classes.textButton}
              onClick={() => show(hasSteps && rest.length === 1 ? 'steps' : 'yaml')}
            >
              {hasSteps && rest.length === 1 ? 'Edit in Steps' : 'Edit in YAML'}
            </button>
          </span>
        </p>
      )}
    </>
  )
}

export function Unreadable({ words, show }: { readonly words: string; readonly show: (view: View) => void }) {
  return (
    <Empty
      title="The text cannot be read as a document"
      action={<Button onClick={() => show('yaml')}>Fix it in YAML</Button>}
    >
      {sentenceCase(words)}. Nothing is lost: the YAML view has the text as it was typed.
    </Empty>
  )
}
