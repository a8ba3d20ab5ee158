// Adds a party: the company's name, and the slug that agreements use for it.

import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { slugOf } from '../../../../src/core/text/slug.ts'
import type { PartyRow } from '../../../../src/views/shapes/parties.ts'
import { api } from '../../../api.ts'
import { AskForm } from '../../../components/dialog/ask-form.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { textBounds } from '../../../components/words/text-bounds.ts'
import { useWorkspace } from '../../../session.ts'

interface NewPartyProps {
  readonly close: () => void
  readonly made: (party: PartyRow) => void
}

export function NewParty({ close, made }: NewPartyProps) {
  const { slug: ws, path } = useWorkspace()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [ownSlug, setOwnSlug] = useState<string | null>(null)
  const slug = ownSlug ?? slugOf(name)
  const add = async () => {
    const party = await api.post(path('/parties'), { slug, name })
    await queries.invalidateQueries({ queryKey: ['w', ws, 'parties'] })
    made(party)
  }
  return (
    <Dialog onClose={close} title="Add a party">
      <AskForm action="Add the party" isReady={name.trim() !== '' && slug !== ''} run={add}>
        <TextInput
          data-autofocus
          label="Name of the company"
          description="As it will appear in receipts"
          placeholder="Ohio Forge Inc."
          required
          maxLength={textBounds.name}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Slug"
          description="How agreements name it; it cannot be changed"
          placeholder="ohio-forge"
          required
          maxLength={textBounds.slug}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          autoComplete="off"
          value={slug}
          onChange={event => setOwnSlug(event.currentTarget.value)}
        />
      </AskForm>
    </Dialog>
  )
}
