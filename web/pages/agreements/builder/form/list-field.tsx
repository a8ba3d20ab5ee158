// A list of short texts in the form: e-mail addresses, dates, references.
import { TagsInput } from '@mantine/core'
import { useBuilder } from '../builder-state.tsx'
import { type Plain, rawAt } from '../document/document.ts'
import { readSide } from '../document/shapes.ts'
import { type FieldProps, useNotes, wrapperOrder } from './fields.tsx'

export function ListField({
  path,
  label,
  hint,
  placeholder,
  splitAt,
  write = list => (list.length === 0 ? null : list),
}: FieldProps & {
  /** Characters that separate the texts, besides Enter. */
  readonly splitAt: readonly string[]
  readonly write?: (list: readonly string[]) => Plain | null
}) {
  const { document, set } = useBuilder()
  const list = readSide(rawAt(document.root, path)) ?? []
  return (
    <TagsInput
      {...useNotes(path, hint)}
      size="xs"
      label={label}
      placeholder={list.length === 0 ? (placeholder ?? '') : ''}
      inputWrapperOrder={wrapperOrder}
      splitChars={[...splitAt]}
      acceptValueOnBlur
      value={[...list]}
      onChange={next => set(path, write(next))}
    />
  )
}
