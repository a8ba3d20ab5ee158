// A field made from a key of the engine's tables: its name, help, choices and default.
import { Checkbox } from '@mantine/core'
import type { KeySpec } from '../../../../../src/core/formula/check/keys.ts'
import { useBuilder } from '../builder-state.tsx'
import { type Path, textAt } from '../document/document.ts'
import { shareWords } from '../document/weights.ts'
import { fieldOf, hintOf, suffixOf } from './control-fields.ts'
import { ChoiceField, NumberField, ShareField, useNotes } from './fields.tsx'
import { RoundingField } from './rounding-field.tsx'

interface SpecProps {
  readonly spec: KeySpec
  /** The path in this document, if the table's path has a `*`. */
  readonly path?: Path
  /** Replaces the label from the table. */
  readonly label?: string
  /** The default, in words, if it is not one of the values. */
  readonly otherwise?: string
  /** Whether the hint is left out because the label says enough. */
  readonly isTerse?: boolean
}

export function SpecField({
  spec,
  path = spec.path.split('.'),
  label = spec.label,
  otherwise,
  isTerse = false,
}: SpecProps) {
  const kind = fieldOf({ ...spec, path: 'here' })?.kind
  const { unit } = useBuilder()
  const hint = isTerse ? undefined : hintOf(spec)
  switch (kind) {
    case 'choice':
      return <SpecChoice spec={spec} path={path} label={label} otherwise={otherwise} />
    case 'truth':
      return <TruthField path={path} label={label} hint={hint} />
    case 'rounding':
      return <RoundingField path={path} label={label} hint={hint} {...(otherwise === undefined ? {} : { otherwise })} />
    case 'share':
      return (
        <ShareField
          path={path}
          label={shareWords(label, unit)}
          hint={hint === undefined ? undefined : shareWords(hint, unit)}
        />
      )
    default: {
      const suffix = suffixOf(spec)
      const placeholder = otherwise ?? spec.otherwise ?? (spec.required === true ? '' : 'none')
      return (
        <NumberField
          path={path}
          label={label}
          hint={hint}
          placeholder={placeholder}
          {...(suffix === undefined ? {} : { suffix })}
        />
      )
    }
  }
}

/** A choice needs no hint: its options say what it is for. */
function SpecChoice({
  spec,
  path,
  label,
  otherwise,
}: Required<Pick<SpecProps, 'spec' | 'path' | 'label'>> & { readonly otherwise: string | undefined }) {
  if (spec.value.kind !== 'choice') return null
  const choices = spec.value.choices.map(({ value, words }) => [value, words] as const)
  if (otherwise !== undefined) {
    const all = [['', otherwise] as const, ...choices]
    return <ChoiceField path={path} label={label} choices={all} />
  }
  const counts = spec.otherwise === undefined ? {} : { otherwise: spec.otherwise }
  return <ChoiceField path={path} label={label} choices={choices} {...counts} />
}

/** Check box: written if true; left out otherwise. */
function TruthField({
  path,
  label,
  hint,
}: {
  readonly path: Path
  readonly label: string
  readonly hint: string | undefined
}) {
  const { document, set } = useBuilder()
  const { id, description, error } = useNotes(path, hint)
  return (
    <Checkbox
      id={id}
      size="xs"
      label={label}
      description={description}
      error={error}
      checked={textAt(document.root, path) === 'true'}
      onChange={event => set(path, event.currentTarget.checked ? 'true' : null)}
    />
  )
}
