// Keys of the inbox: moving, selecting, opening, signing and objecting without the mouse. Nothing happens while somebody types,
// while a dialog is open, or with Ctrl, Alt or ⌘.
import { Kbd } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import classes from './sign-offs.module.css'

interface KeyActions {
  readonly move: (by: 1 | -1) => void
  readonly select: () => void
  readonly open: () => void
  readonly sign: () => void
  readonly object: () => void
  readonly close: () => void
  readonly help: () => void
}

const typedInto =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"], [role="combobox"], [role="listbox"], [role="menu"]'

/** Elements that use the key themselves, which comes first. */
const usesSpaceAndEnter = 'a, button:not([data-row]), input, summary'

export function useInboxKeys(actions: KeyActions): void {
  const newest = useRef(actions)
  useEffect(() => {
    newest.current = actions
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const run = actionOf(event, newest.current)
      if (run === undefined) return
      event.preventDefault()
      // Drawn before the next key, which is about what is then marked and open.
      flushSync(run)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function actionOf(event: KeyboardEvent, actions: KeyActions): (() => void) | undefined {
  const { key, target } = event
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined
  if (!(target instanceof Element) || target.closest(typedInto) !== null) return undefined
  if (document.querySelector('[role="dialog"]') !== null) return undefined
  const isOwn = target.closest(usesSpaceAndEnter) !== null
  // The button of a row opens it on Enter by itself.
  const isRow = target.closest('[data-row]') !== null
  const ways: Readonly<Record<string, (() => void) | undefined>> = {
    j: () => actions.move(1),
    k: () => actions.move(-1),
    ' ': isOwn ? undefined : actions.select,
    Enter: isOwn || isRow ? undefined : actions.open,
    s: actions.sign,
    o: actions.object,
    Escape: actions.close,
    '?': actions.help,
  }
  return ways[key]
}

const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['j'], 'the next row'],
  [['k'], 'the row before'],
  [['Space'], 'select or unselect the marked row'],
  [['Enter'], 'open the marked row beside the list'],
  [['s'], 'sign the selected rows, or the marked row'],
  [['o'], 'object to the period that is open beside the list'],
  [['Esc'], 'close the row that is open beside the list'],
  [['?'], 'show this list of keys'],
]

export function KeysDialog({ close }: { readonly close: () => void }) {
  return (
    <Dialog onClose={close} title="Keys" size={440}>
      <dl className={classes.keys}>
        {keys.map(([names, does]) => (
          <div key={does}>
            <dt>
              {names.map(name => (
                <Kbd key={name}>{name}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
