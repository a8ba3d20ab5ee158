// The actions at the end of a table row: one button, or a menu.
import { Button, Menu } from '@mantine/core'
import { useRef } from 'react'
import classes from './settings.module.css'

interface RowActionProps {
  readonly words: string
  /** Label for screen readers: `Remove the passkey My phone`. */
  readonly label: string
  readonly run: () => void
}

export function RowAction({ words, label, run }: RowActionProps) {
  return (
    <div className={classes.actions}>
      <Button variant="subtle" size="compact-sm" onClick={run} aria-label={label}>
        {words}
      </Button>
    </div>
  )
}

interface RowMenuProps {
  readonly label: string
  readonly items: readonly (readonly [words: string, run: () => void])[]
}

export function RowMenu({ label, items }: RowMenuProps) {
  const opener = useRef<HTMLButtonElement>(null)
  // A menu without motion is gone before a dialog opens, which returns the focus to where it was.
  const choose = (run: () => void) => {
    opener.current?.focus({ preventScroll: true })
    run()
  }
  return (
    <div className={classes.actions}>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <Button ref={opener} variant="subtle" size="compact-sm" aria-label={label}>
            Change
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {items.map(([words, run]) => (
            <Menu.Item key={words} onClick={() => choose(run)}>
              {words}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
