// The document as text.
import { useMemo } from 'react'
import type { ProblemView } from '../../../../../src/views/shapes/session.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { Editor } from './lazy-editor.tsx'
import type { Note } from './notes-and-offers.ts'
import { offerYaml } from './offers.ts'

export function YamlView({ goTo }: { readonly goTo: { readonly line: number } | null }) {
  const { text: whole, document, change, problems, warnings, series } = useBuilder()
  const notes = useMemo(
    () => [...problems.map(problem => noteOf(problem, 'error')), ...warnings.map(each => noteOf(each, 'warning'))],
    [problems, warnings],
  )
  return (
    <div className={classes.yaml}>
      <Editor
        kind="yaml"
        label="The document as YAML"
        text={whole}
        onText={text => change(() => text)}
        notes={notes}
        offer={(text, offset) => offerYaml(document, series.rows, text, offset)}
        goTo={goTo}
      />
      <p className={classes.quiet}>
        Ctrl-Space completes, F8 goes to the next problem. Comments and the order of keys are kept by the other views.
      </p>
    </div>
  )
}

function noteOf({ path, message, line }: ProblemView, severity: Note['severity']): Note {
  return { line: line ?? 1, at: null, message: path === '' ? message : `${path}: ${message}`, severity }
}
