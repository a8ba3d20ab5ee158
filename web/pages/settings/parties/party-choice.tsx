// Choice of somebody's party: none, or one of the workspace's parties.
import { Select } from '@mantine/core'
import type { Role } from '../../../../src/views/shapes/session.ts'
import { useParties } from '../../../components/inputs/use-parties.ts'

interface PartyChoiceProps {
  readonly role: Role
  /** The slug. */
  readonly value: string | null
  readonly onChange: (slug: string | null) => void
}

export function PartyChoice({ role, value, onChange }: PartyChoiceProps) {
  const parties = useParties().data ?? []
  const data = parties.map(({ slug, name }) => ({ value: slug, label: name }))
  return (
    <Select
      label="Party"
      description={formatMeaning(role, value, data.length)}
      placeholder="None"
      clearable
      searchable={data.length > 8}
      data={data}
      value={value}
      onChange={onChange}
    />
  )
}

function formatMeaning(role: Role, value: string | null, count: number): string {
  if (role !== 'supplier') return 'The company they sign for if an agreement names it'
  if (value !== null) return 'They see and sign the agreements that name it, and no others'
  const add = count === 0 ? '; add one under Parties' : ''
  return `Without a party they see only agreements that name their e-mail address${add}`
}
