// The worksheet: an editor for a document of steps; for a clause, the lines it compiles to, to read or to start from.

import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { resultKindKey } from '../../../../../src/core/formula/check/document-keys.ts'
import type { Preview, StepLine } from '../../../../../src/views/shapes/agreements.ts'
import { IconAlert, IconChevron, IconCross, IconPlus } from '../../../../components/page/icons.tsx'
import { DataTable } from '../../../../components/table/data-table.tsx'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { addTo, hasAt, listAt, moveAt, rawAt, setAt, textAt } from '../document/document.ts'
import { readRounding } from '../document/shapes.ts'
import { freeName, namesFor, placeOfProblem, renameInSteps, whyNotSteps } from '../document/steps.ts'
import { ChoiceField, fieldId, TextField, useNotes } from '../form/fields.tsx'
import { NotesAt } from '../form/line.tsx'
import { RoundingField } from '../form/rounding-field.tsx'
import { formatRoundingInWords } from '../form/sentences.ts'
import { problemsUnder } from '../problems.ts'
import { Editor } from './lazy-editor.tsx'
import type { Note } from './notes-and-offers.ts'
import { offerNames } from './offers.ts'
import { TurnIntoSteps } from './turn-into-steps.tsx'

export function StepsView({ preview }: { readonly preview: Preview | null }) {
  const { document } = useBuilder()
  const { root, text } = document
  const hasClause = hasAt(root, ['clause'])
  const why = useMemo(() => whyNotSteps(text), [text])
  const own = listAt(root, ['steps'])
  return (
    <section className={classes.part} aria-labelledby="part-steps">
      <h2 id="part-steps" className={classes.partHead}>
        <span>{hasClause ? 'The clause as a worksheet' : 'Steps'}</span>
        {hasClause && <TurnIntoSteps preview={preview} />}
      </h2>
      {why !== null && <p className={classes.quiet}>{why}</p>}
      <NotesAt places={['steps', 'result']} />
      {hasClause && <CompiledSteps lines={preview?.steps ?? []} own={own.length} />}
      {hasClause && own.length > 0 && <h3 className={classes.subHead}>Additional steps</h3>}
      {(!hasClause || own.length > 0) && <OwnSteps />}
    </section>
  )
}

function CompiledSteps({ lines, own }: { readonly lines: readonly StepLine[]; readonly own: number }) {
  const compiled = lines.slice(0, lines.length - own)
  if (compiled.length === 0)
    return <p className={classes.quiet}>The lines appear here once the document has no problems.</p>
  return (
    <DataTable
      label="Lines"
      rows={compiled}
      keyOf={({ name }) => name}
      columns={[
        { head: 'Line', isRowHead: true, className: classes.stepName, cell: ({ name }) => name },
        {
          head: 'is',
          cell: ({ expr, rounding, note }) => (
            <>
              <code className={classes.expr}>{expr}</code>
              {(rounding !== null || note !== null) && (
                <span className={classes.under}>{[rounding, note].filter(words => words !== null).join('; ')}</span>
              )}
            </>
          ),
        },
      ]}
    />
  )
}

function OwnSteps() {
  const { document, change } = useBuilder()
  const { root } = document
  const steps = listAt(root, ['steps'])
  const names = steps.map(step => textAt(step, ['name']))
  const add = () => change(text => addTo(text, ['steps'], { name: freeName(names, 'line'), expr: names.at(-1) ?? '1' }))
  return (
    <>
      {steps.length === 0 && (
        <p className={classes.quiet}>
          No step yet. A step is a named line with an expression; the result names the step that gives the answer.
        </p>
      )}
      <ol className={classes.steps}>
        {steps.map((_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may be empty or repeated; a step is its position.
          <StepRow key={i} at={i} count={steps.length} names={names} />
        ))}
      </ol>
      <Button variant="subtle" size="xs" leftSection={<IconPlus />} onClick={add} className={classes.add ?? ''}>
        Add a step
      </Button>
      <ResultFields names={names} />
    </>
  )
}

function StepRow({
  at,
  count,
  names,
}: {
  readonly at: number
  readonly count: number
  readonly names: readonly string[]
}) {
  const { document, set, change } = useBuilder()
  const { root, unreadable } = document
  const path = ['steps', at]
  const place = `steps[${at}]`
  const name = names[at]!
  const words = name === '' ? `step ${at + 1}` : name
  const known = useMemo(() => namesFor(root, at), [root, at])
  const notes = useExpressionNotes(`${place}.expr`)
  const [isMore, setMore] = useState(false)
  const id = useId()
  const move = (to: number) => change(text => moveAt(text, ['steps'], at, to))
  return (
    <li className={classes.step} id={fieldId(place)} tabIndex={-1}>
      <div className={classes.stepHead}>
        <StepName at={at} />
        <span className={classes.stepActions}>
          <button
            type="button"
            className={classes.textButton}
            aria-expanded={isMore}
            aria-controls={id}
            onClick={() => setMore(!isMore)}
          >
            Rounding, note<span className="unseen"> of {words}</span>
          </button>
          <IconAct label={`Move ${words} up`} isOff={at === 0} onAct={() => move(at - 1)}>
            <span className={classes.up}>
              <IconChevron />
            </span>
          </IconAct>
          <IconAct label={`Move ${words} down`} isOff={at === count - 1} onAct={() => move(at + 1)}>
            <IconChevron />
          </IconAct>
          <IconAct label={`Remove ${words}`} onAct={() => set(path, null)}>
            <IconCross />
          </IconAct>
        </span>
      </div>
      <Editor
        kind="expression"
        label={`Expression of ${words}`}
        text={textAt(root, [...path, 'expr'])}
        onText={text => set([...path, 'expr'], text)}
        notes={notes}
        offer={(text, offset) => offerNames(known, text, offset)}
        isReadOnly={unreadable !== null}
      />
      <ExpressionNotes notes={notes} />
      <NotesAt places={[place, `${place}.round`, `${place}.show`, `${place}.note`]} />
      {!isMore && <StepTail at={at} />}
      <div id={id} className={classes.stepMore} hidden={!isMore}>
        {isMore && (
          <>
            <RoundingField path={[...path, 'round']} label="Carried on" />
            <RoundingField
              path={[...path, 'show']}
              label="Printed"
              hint="Only for display; the calculation does not use it"
            />
            <TextField path={[...path, 'note']} label="Note" />
          </>
        )}
      </div>
    </li>
  )
}

/** The problems in an expression, each at its character. */
function useExpressionNotes(place: string): readonly Note[] {
  const { problems, warnings } = useBuilder()
  return useMemo(
    () => [
      ...problemsUnder(problems, place).map((problem): Note => {
        const { at, words } = placeOfProblem(problem)
        return { line: 1, at, message: words, severity: 'error' }
      }),
      ...problemsUnder(warnings, place).map(
        ({ message }): Note => ({ line: 1, at: null, message, severity: 'warning' }),
      ),
    ],
    [problems, warnings, place],
  )
}

function ExpressionNotes({ notes }: { readonly notes: readonly Note[] }) {
  if (notes.length === 0) return null
  return (
    <ul className={classes.notes}>
      {notes.map(({ message, at, severity }) => (
        <li key={`${at} ${message}`} data-kind={severity === 'error' ? 'problem' : 'warning'}>
          <span className={classes.noteSign}>
            <IconAlert />
          </span>
          <span>
            {message}
            {at === null ? '' : `, at character ${at + 1}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Rounding of a step, and its note, on one line. */
function StepTail({ at }: { readonly at: number }) {
  const { document } = useBuilder()
  const step = rawAt(document.root, ['steps', at])
  const [round, show] = ['round', 'show'].map(key => readRounding(rawAt(step, [key])))
  const words = [
    round!.kind === 'LEFT_OUT' ? '' : formatRoundingInWords(round!),
    show!.kind === 'LEFT_OUT' ? '' : `printed ${formatRoundingInWords(show!)}`,
    textAt(step, ['note']),
  ].filter(text => text !== '')
  return words.length === 0 ? null : <span className={classes.under}>{words.join('; ')}</span>
}

/** A step's name is applied when the field loses focus; the expressions and the result that use it are updated. */
function StepName({ at }: { readonly at: number }) {
  const { document, change } = useBuilder()
  const path = ['steps', at, 'name']
  const name = textAt(document.root, path)
  const [typed, setTyped] = useState<string | null>(null)
  const { error, id } = useNotes(path)
  const leave = () => {
    const next = typed?.trim() ?? name
    setTyped(null)
    if (next === name) return
    change(text => {
      const renamed = setAt(name === '' ? text : renameInSteps(text, name, next), path, next)
      const isResult = name !== '' && textAt(rawAt(document.root, ['result']), ['step']) === name
      return isResult ? setAt(renamed, ['result', 'step'], next) : renamed
    })
  }
  return (
    <TextInput
      id={id}
      size="xs"
      aria-label={`Name of step ${at + 1}`}
      error={error}
      classNames={{ input: classes.mono ?? '' }}
      value={typed ?? name}
      onChange={event => setTyped(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={event => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

function IconAct({
  label,
  isOff = false,
  onAct,
  children,
}: {
  readonly label: string
  readonly isOff?: boolean
  readonly onAct: () => void
  readonly children: ReactNode
}) {
  return (
    <button type="button" className={classes.iconAct} aria-label={label} title={label} disabled={isOff} onClick={onAct}>
      {children}
    </button>
  )
}

function ResultFields({ names }: { readonly names: readonly string[] }) {
  return (
    <div className={classes.group}>
      <div className={classes.grid}>
        <ChoiceField
          path={['result', 'step']}
          label="The answer is"
          choices={names.filter((name, i) => name !== '' && names.indexOf(name) === i).map(name => [name, name])}
        />
        <ChoiceField
          path={['result', 'kind']}
          label="which is"
          choices={resultKindKey.value.choices.map(({ value, words }) => [value, words] as const)}
        />
      </div>
      <RoundingField
        path={['result', 'show']}
        label="Reported percentages are"
        otherwise="to 4 decimals"
        hint="Only for display; the calculation does not use it"
      />
    </div>
  )
}
