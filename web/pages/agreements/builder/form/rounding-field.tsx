// Rounding of a figure: not at all, to decimals, tens or thousands, or to multiples of a number, and in which direction.
import { Input, NativeSelect } from '@mantine/core'
import { modeKey } from '../../../../../src/core/formula/check/fields.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { rawAt } from '../document/document.ts'
import { type RoundingShape, readRounding, writeRounding } from '../document/shapes.ts'
import { Beside, type FieldProps, useNotes, useTyped } from './fields.tsx'
import { formatRoundingInWords } from './sentences.ts'

const firstAmounts: Readonly<Record<string, string>> = { DP: '2', MULTIPLE: '0.05' }
const kinds = ['LEFT_OUT', 'NONE', 'DP', 'MULTIPLE'] as const

export function RoundingField({
  path,
  label,
  hint,
  otherwise = 'not rounded',
}: FieldProps & {
  /** The default, in words. */
  readonly otherwise?: string
}) {
  const { document, set } = useBuilder()
  const shape = readRounding(rawAt(document.root, path))
  const onShape = (next: RoundingShape) => set(path, writeRounding(next))
  const isTens = shape.kind === 'DP' && shape.amount.startsWith('-')
  const notes = useNotes(path, isTens ? `That is ${formatRoundingInWords({ ...shape, mode: '' })}` : hint)
  const typed = useTyped(shape.amount, amount => onShape({ ...shape, amount: amount.trim().replace('−', '-') }))
  const choose = (chosen: string) => {
    const kind = kinds.find(each => each === chosen)
    if (kind !== undefined) onShape({ kind, amount: firstAmounts[kind] ?? '', mode: shape.mode })
  }
  return (
    <Beside label={label} notes={notes} className={classes.rounding}>
      <NativeSelect
        id={notes.id}
        size="xs"
        error={notes.error !== undefined}
        data={[
          { value: 'LEFT_OUT', label: otherwise },
          { value: 'NONE', label: 'not rounded (NONE)' },
          { value: 'DP', label: 'to decimals' },
          { value: 'MULTIPLE', label: 'to multiples of' },
        ]}
        value={shape.kind}
        onChange={event => choose(event.currentTarget.value)}
      />
      {(shape.kind === 'DP' || shape.kind === 'MULTIPLE') && (
        <>
          <Input
            size="xs"
            aria-label={`${label}, ${shape.kind === 'DP' ? 'decimals' : 'multiple of'}`}
            classNames={{ input: classes.figures ?? '' }}
            value={typed.value}
            onChange={event => typed.onChange(event.currentTarget.value)}
            onBlur={typed.onBlur}
            autoComplete="off"
          />
          <NativeSelect
            size="xs"
            aria-label={`${label}, which way`}
            data={modeKey.value.choices.map(({ value, words }) => ({ value, label: words }))}
            value={shape.mode === '' ? modeKey.otherwise : shape.mode}
            onChange={event => onShape({ ...shape, mode: event.currentTarget.value })}
          />
        </>
      )}
    </Beside>
  )
}
