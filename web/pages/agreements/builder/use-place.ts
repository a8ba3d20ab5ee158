// View of the document that is shown, and the way from a problem to the place where it can be fixed.
import { useEffect, useRef, useState } from 'react'
import type { ProblemView } from '../../../../src/views/shapes/session.ts'
import { useAddress } from '../../../components/page/address.ts'
import type { BuilderState } from './builder-state.tsx'
import { hasAt } from './document/document.ts'
import { fieldId } from './form/fields.tsx'
import { placesAround, spotOf, type View } from './places.ts'

/** The view named in the address; otherwise the form, or the steps if the saved document has no clause. */
export function useView({ root, unreadable }: BuilderState['document'], isNew: boolean) {
  const [{ view: asked }, change] = useAddress()
  const isStepped = unreadable === null && hasAt(root, ['steps']) && !hasAt(root, ['clause'])
  const fitting: View = isStepped && !isNew ? 'steps' : 'clause'
  const first = useRef(fitting)
  const view: View = asked === 'clause' || asked === 'steps' || asked === 'yaml' ? asked : first.current
  const show = (next: View) => change({ view: next })
  return { view, show }
}

interface GoingParts {
  readonly view: View
  readonly show: (view: View) => void
  readonly open: (line: string) => void
}

export function useGoing({ view, show, open }: GoingParts) {
  const [goTo, setGoTo] = useState<{ readonly line: number } | null>(null)
  const [wanted, setWanted] = useState<{ readonly path: string } | null>(null)
  useEffect(() => {
    if (wanted === null) return
    const field = placesAround(wanted.path)
      .map(place => window.document.getElementById(fieldId(place)))
      .find(found => found !== null)
    field?.scrollIntoView({ block: 'center' })
    field?.focus({ preventScroll: true })
  }, [wanted])
  const onGo = ({ path, line }: ProblemView) => {
    const spot = spotOf(path)
    if (view === 'yaml' || spot === null) {
      show('yaml')
      setGoTo({ line: line ?? 1 })
      return
    }
    if (spot.line !== null) open(spot.line)
    if (spot.view !== view) show(spot.view)
    // The field is there once the line is open.
    setTimeout(() => setWanted({ path }), 50)
  }
  return { goTo, onGo }
}
