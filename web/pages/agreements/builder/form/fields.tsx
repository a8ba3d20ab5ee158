// The fields of the form. Each belongs to one place in the document, writes text as it is typed, and shows the problems and
// warnings for that place.

import { Input, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { DayPicker } from '../../../../components/inputs/day-picker.tsx'
import { readTypedDay } from '../../../../components/inputs/typed-dates.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { formatPath, type Path, textAt } from '../document/document.ts'
import { paramsOf, shownShare, takenShare } from '../document/weights.ts'
import { isAtOrUnder, keyed } from '../problems.ts'

export function fieldId(place: string): string {
  return `field ${place}`.replaceAll(' ', '-')
}

/** The content of a field during typing: the person's own text, not the document's rendering of it. */
export function useTyped(shown: string, commit: (typed: string) => void) {
  const [typed, setTyped] = useState<string | null>(null)
  return {
    value: typed ?? shown,
    onChange: (text: string) => {
      setTyped(text)
      commit(text)
    },
    onBlur: () => setTyped(null),
  }
}

/** Problems as Mantine's error, warnings after the hint. `isWhole` includes everything inside the place. */
export function useNotes(path: Path, hint?: ReactNode, isWhole = true) {
  const { problems, warnings } = useBuilder()
  const place = formatPath(path)
  const isHere = ({ path: at }: { readonly path: string }) => (isWhole ? isAtOrUnder(at, place) : at === place)
  const wrong = problems.filter(isHere)
  const doubtful = warnings.filter(isHere)
  return {
    id: fieldId(place),
    error: wrong.length === 0 ? undefined : <Lines list={wrong.map(({ message }) => message)} />,
    description:
      hint === undefined && doubtful.length === 0 ? undefined : (
        <>
          {hint}
          {doubtful.length > 0 && (
            <span className={classes.doubt}>
              <Lines list={doubtful.map(({ message }) => message)} />
            </span>
          )}
        </>
      ),
  }
}

function Lines({ list }: { readonly list: readonly string[] }) {
  return keyed(list, text => text).map(([id, text]) => (
    <span key={id} className={classes.note}>
      {text}
    </span>
  ))
}

export const wrapperOrder: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

export interface FieldProps {
  readonly path: Path
  readonly label: string
  readonly hint?: ReactNode
  readonly placeholder?: string
}

export function TextField({
  path,
  label,
  hint,
  placeholder,
  isMono = false,
  isReadOnly = false,
  onCommit,
  rightSection,
}: FieldProps & {
  readonly isMono?: boolean
  readonly rightSection?: ReactNode
  readonly isReadOnly?: boolean
  /** Called instead of writing the text to the document. */
  readonly onCommit?: (typed: string) => void
}) {
  const { document, set } = useBuilder()
  const commit = onCommit ?? ((text: string) => set(path, text === '' ? null : text))
  const typed = useTyped(textAt(document.root, path), commit)
  return (
    <TextInput
      {...useNotes(path, hint)}
      size="xs"
      label={label}
      placeholder={placeholder ?? ''}
      readOnly={isReadOnly}
      inputWrapperOrder={wrapperOrder}
      classNames={isMono ? { input: classes.mono ?? '' } : {}}
      rightSection={rightSection}
      value={typed.value}
      onChange={event => typed.onChange(event.currentTarget.value)}
      onBlur={typed.onBlur}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

/** A day as it is typed, or picked from a calendar. */
export function DayField({ path, label, hint, placeholder }: FieldProps) {
  const { document, set } = useBuilder()
  const put = (text: string) => set(path, text === '' ? null : readTypedDay(text))
  const written = textAt(document.root, path)
  return (
    <TextField
      path={path}
      label={label}
      {...(hint === undefined ? {} : { hint })}
      {...(placeholder === undefined ? {} : { placeholder })}
      isMono
      onCommit={put}
      rightSection={<DayPicker value={written} onDay={put} />}
    />
  )
}

export function ProseField({ path, label, hint }: FieldProps) {
  const { document, set } = useBuilder()
  const typed = useTyped(textAt(document.root, path), text => set(path, text === '' ? null : text))
  return (
    <Textarea
      {...useNotes(path, hint)}
      size="xs"
      label={label}
      autosize
      minRows={2}
      maxRows={6}
      inputWrapperOrder={wrapperOrder}
      value={typed.value}
      onChange={event => typed.onChange(event.currentTarget.value)}
      onBlur={typed.onBlur}
    />
  )
}

/** The name of a param has no unit. */
function isName(text: string): boolean {
  return /^[\p{L}_]/u.test(text)
}

/** The params that may be named in a field, for its list of suggestions. */
function useParamNames(path: Path): { readonly list: { readonly list?: string }; readonly names: ReactNode } {
  const { document } = useBuilder()
  const params = paramsOf(document.root)
  if (params.length === 0) return { list: {}, names: null }
  const id = `${fieldId(formatPath(path))}-names`
  const names = (
    <datalist id={id}>
      {params.map(({ name }) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  )
  return { list: { list: id }, names }
}

/** A box for a number or the name of a param, with its unit at the end. */
function FigureBox({
  path,
  label,
  hint,
  placeholder,
  suffix,
  shown,
  commit,
}: FieldProps & {
  readonly suffix: string | undefined
  readonly shown: string
  readonly commit: (typed: string) => void
}) {
  const { list, names } = useParamNames(path)
  const typed = useTyped(shown, commit)
  return (
    <>
      <TextInput
        {...useNotes(path, hint)}
        size="xs"
        label={label}
        placeholder={placeholder ?? ''}
        inputWrapperOrder={wrapperOrder}
        classNames={{ input: classes.figures ?? '' }}
        rightSection={suffix === undefined || isName(typed.value) ? undefined : <span className="soft">{suffix}</span>}
        rightSectionPointerEvents="none"
        value={typed.value}
        onChange={event => typed.onChange(event.currentTarget.value)}
        onBlur={typed.onBlur}
        {...list}
        autoComplete="off"
      />
      {names}
    </>
  )
}

/** A number in the clause: written out, or the name of a param. */
export function NumberField({ suffix, ...field }: FieldProps & { readonly suffix?: string }) {
  const { document, set } = useBuilder()
  const { path } = field
  const commit = (text: string) =>
    set(path, text.trim() === '' ? null : text.trim().replace(/^([+-]?\d+),(\d+)$/, '$1.$2'))
  return <FigureBox {...field} suffix={suffix} shown={textAt(document.root, path)} commit={commit} />
}

/** A share of 1, as a percentage or a fraction; `35 %` is understood either way. */
export function ShareField(field: FieldProps) {
  const { document, set } = useBuilder()
  const { path } = field
  const text = textAt(document.root, path)
  return <ShareBox {...field} text={text} onText={value => set(path, value === '' ? null : value)} />
}

export function ShareBox({
  text,
  onText,
  ...field
}: FieldProps & {
  readonly text: string
  readonly onText: (text: string) => void
}) {
  const { unit } = useBuilder()
  return (
    <FigureBox
      {...field}
      suffix={unit === 'percent' ? '%' : undefined}
      shown={shownShare(text, unit)}
      commit={entered => onText(takenShare(entered, unit))}
    />
  )
}

export type Choices = readonly (readonly [value: string, label: string])[]

/** The chosen value, or the default if none is written; an unknown value is shown as it is. */
export function ChoiceField({
  path,
  label,
  hint,
  choices,
  otherwise,
  isWritten = false,
}: FieldProps & {
  readonly choices: Choices
  /** Choice that applies if nothing is written; choosing it writes nothing. */
  readonly otherwise?: string
  /** Whether the default is written too. */
  readonly isWritten?: boolean
}) {
  const { document, set } = useBuilder()
  const written = textAt(document.root, path)
  return (
    <ChoiceBox
      {...useNotes(path, hint)}
      label={label}
      choices={choices}
      value={written === '' ? (otherwise ?? '') : written}
      onValue={value => set(path, (value === otherwise && !isWritten) || value === '' ? null : value)}
    />
  )
}

export function ChoiceBox({
  id,
  label,
  choices,
  value,
  onValue,
  error,
  description,
}: {
  readonly id: string
  readonly label: string
  readonly choices: Choices
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error?: ReactNode
  readonly description?: ReactNode
}) {
  const isKnown = choices.some(([each]) => each === value)
  const data = [...(isKnown ? [] : [[value, value === '' ? 'choose' : value] as const]), ...choices]
  return (
    <NativeSelect
      id={id}
      size="xs"
      label={label}
      error={error}
      description={description}
      inputWrapperOrder={wrapperOrder}
      data={data.map(([each, words]) => ({ value: each, label: words }))}
      value={value}
      onChange={event => onValue(event.currentTarget.value)}
    />
  )
}

/** Several controls under one label, with one hint below them. */
export function Beside({
  label,
  notes,
  className,
  children,
}: {
  readonly label: string
  readonly notes: ReturnType<typeof useNotes>
  readonly className: string | undefined
  readonly children: ReactNode
}) {
  return (
    <Input.Wrapper {...notes} size="xs" label={label} inputWrapperOrder={wrapperOrder}>
      <div className={className}>{children}</div>
    </Input.Wrapper>
  )
}
