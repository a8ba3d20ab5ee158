// Signers of each side, and their means of signing: a party of the workspace, or people by their e-mail addresses. A supplier
// that is not named sees nothing, so the form asks for one.

import { useState } from 'react'
import { isRawList } from '../../../../../src/core/formula/raw.ts'
import { formatSignKinds, type Party, type SignKind, signKinds } from '../../../../../src/core/parties.ts'
import { sentenceCase } from '../../../../components/words/words.ts'
import { NewParty } from '../../../settings/parties/new-party.tsx'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { rawAt } from '../document/document.ts'
import { isNobody, readSideShape, type SideShape } from '../document/shapes.ts'
import { ChoiceBox, useNotes } from './fields.tsx'
import { NotesAt } from './line.tsx'
import { ListField } from './list-field.tsx'

export function PartyFields() {
  const { set } = useBuilder()
  const [adding, setAdding] = useState<Party | null>(null)
  return (
    <div className={classes.stack}>
      <NotesAt places={['parties']} />
      <SideField side="buyer" />
      <SideField side="supplier" />
      <SignWithField />
      <button type="button" className={classes.textButton} onClick={() => setAdding('supplier')}>
        Add a party that is not in the list
      </button>
      {adding !== null && (
        <NewParty
          close={() => setAdding(null)}
          made={({ slug }) => {
            set(['parties', adding], slug)
            setAdding(null)
          }}
        />
      )}
    </div>
  )
}

/** Usual means, from the strictest down; a document may name others, which are shown as they are. */
const usualKinds: readonly (readonly SignKind[])[] = signKinds.map((_, i) => signKinds.slice(0, i + 1))

function SignWithField() {
  const { document, set } = useBuilder()
  const path = ['parties', 'signWith']
  const raw = rawAt(document.root, path)
  const written = isRawList(raw) ? signKinds.filter(kind => raw.includes(kind)) : []
  const isUsual = written.length === 0 || usualKinds.some(kinds => kinds.join() === written.join())
  const notes = useNotes(path, written.length === 0 ? undefined : 'Neither side can sign in another way')
  const choices = [
    ['', 'in any way'] as const,
    ...[...usualKinds, ...(isUsual ? [] : [written])].map(kinds => [kinds.join(), formatSignKinds(kinds)] as const),
  ]
  return (
    <ChoiceBox
      {...notes}
      label="Ways to sign"
      value={written.join()}
      onValue={value => set(path, value === '' ? null : value.split(','))}
      choices={choices}
    />
  )
}

/** A value of the choice box besides the slugs of parties, which cannot contain this character. */
const byAddress = '@'

const left: Readonly<Record<Party, string>> = {
  buyer: 'every member with the role buyer',
  supplier: 'nobody yet',
}

function SideField({ side }: { readonly side: Party }) {
  const { document, set, parties } = useBuilder()
  const path = ['parties', side]
  const [isAsked, setAsked] = useState(false)
  const shape = readSideShape(rawAt(document.root, path))
  const choose = (value: string) => {
    setAsked(value === byAddress)
    set(path, value === '' ? null : value === byAddress ? [] : value)
  }
  const choices = [
    ['', left[side]],
    ...parties.rows.map(({ slug, name }) => [slug, name] as const),
    [byAddress, 'people, by their e-mail addresses'],
  ] as const
  // Templates start with an empty list, which names nobody; for a buyer it means that nobody at all may sign.
  const isPeople = shape.kind === 'people' && (isAsked || side === 'buyer' || shape.emails.length > 0)
  const notes = useNotes(
    path,
    formatMeaningInWords(side, isPeople ? 'people' : shape.kind === 'people' ? 'none' : shape.kind),
  )
  return (
    <>
      <ChoiceBox
        // The field below takes the id of this place, and shows its problems.
        {...(isPeople ? { id: `${notes.id}-kind` } : notes)}
        label={`Signs for the ${side}`}
        value={isPeople ? byAddress : shape.kind === 'party' ? shape.slug : ''}
        onValue={choose}
        choices={choices}
      />
      {isPeople && (
        <ListField
          path={path}
          label={`E-mail addresses of the ${side}`}
          placeholder={`${sentenceCase(side)}’s e-mail addresses`}
          hint={isNobody(shape) ? `Empty: nobody can sign for the ${side}` : undefined}
          splitAt={[',', ';', ' ']}
          write={list => list}
        />
      )}
    </>
  )
}

function formatMeaningInWords(side: Party, kind: SideShape['kind']): string | undefined {
  if (side === 'buyer') return undefined
  if (kind === 'none') return 'Nobody on the supplier’s side sees this agreement or can sign it; choose who does'
  return kind === 'party' ? 'Its people see the agreement once it is in force, and sign it' : undefined
}
