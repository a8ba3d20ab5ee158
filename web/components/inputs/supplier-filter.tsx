// Limits a list to one supplier, kept in the address. Hidden if there is nothing to choose from.
import { Select } from '@mantine/core'
import type { SupplierChoice } from '../../../src/views/shapes/parties.ts'
import type { ChangeAddress } from '../page/address.ts'

interface SupplierFilterProps {
  readonly choices: readonly SupplierChoice[]
  readonly value: string | undefined
  readonly change: ChangeAddress
  readonly className?: string | undefined
}

/** Number of names from which the box can be searched by typing. */
const manyChoices = 8

export function SupplierFilter({ choices, value, change, className }: SupplierFilterProps) {
  if (choices.length < 2 && value === undefined) return null
  const known = choices.some(each => each.value === value)
  const data = [
    ...choices.map(each => ({ value: each.value, label: `${each.label} (${each.agreements})` })),
    ...(known || value === undefined ? [] : [{ value, label: value }]),
  ]
  return (
    <Select
      className={className ?? ''}
      aria-label="Supplier"
      placeholder="Every supplier"
      clearable
      searchable={data.length > manyChoices}
      nothingFoundMessage="No supplier has this name"
      data={data}
      value={value ?? null}
      onChange={next => change({ supplier: next ?? undefined })}
    />
  )
}
