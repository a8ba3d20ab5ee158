// A row to add an entry to a mapping: its name, its value, and a button once both are entered.
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { IconPlus } from '../../../../components/page/icons.tsx'
import classes from '../builder.module.css'

interface Box {
  readonly label: string
  readonly placeholder?: string
}

export function AddRow({
  name,
  value,
  isTaken = () => false,
  onAdd,
}: {
  readonly name: Box
  readonly value: Box
  readonly isTaken?: (name: string) => boolean
  readonly onAdd: (name: string, value: string) => void
}) {
  const [typed, setTyped] = useState({ name: '', value: '' })
  const [key, content] = [typed.name.trim(), typed.value.trim()]
  const boxOf = (which: 'name' | 'value', { label, placeholder = '' }: Box) => (
    <TextInput
      size="xs"
      label={label}
      placeholder={placeholder}
      value={typed[which]}
      onChange={event => setTyped({ ...typed, [which]: event.currentTarget.value })}
      autoComplete="off"
    />
  )
  return (
    <div className={classes.row}>
      {boxOf('name', name)}
      {boxOf('value', value)}
      <Button
        size="xs"
        variant="default"
        className={classes.beside ?? ''}
        leftSection={<IconPlus />}
        disabled={key === '' || content === '' || isTaken(key)}
        onClick={() => {
          onAdd(key, content)
          setTyped({ name: '', value: '' })
        }}
      >
        Add
      </Button>
    </div>
  )
}
