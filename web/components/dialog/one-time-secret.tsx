// Dialog for a secret that is shown once: it closes only after the person confirms that they stored it, and has a copy button.
import { Button, Checkbox } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '../page/copy.tsx'
import { Dialog } from './dialog.tsx'
import classes from './one-time-secret.module.css'

interface ShownOnceProps {
  readonly title: string
  readonly size?: 'md' | 'lg'
  /** Name of the secret: `key`. */
  readonly what: string
  readonly children: ReactNode
  readonly close: () => void
}

export function ShownOnce({ title, size = 'md', what, children, close }: ShownOnceProps) {
  const [isStored, setStored] = useState(false)
  return (
    <Dialog
      onClose={close}
      size={size}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={classes.form}>
        {children}
        <Checkbox
          label={`I have stored the ${what} in a safe place`}
          checked={isStored}
          onChange={event => setStored(event.currentTarget.checked)}
        />
        <Button disabled={!isStored} onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

interface SecretProps {
  readonly text: string
  readonly label: string
  readonly isMain?: boolean
  /** The text to show, if it differs from what is copied. */
  readonly shown?: string
  readonly testId?: string
}

export function Secret({ text, label, isMain = false, shown = text, testId }: SecretProps) {
  return (
    <>
      <div className={classes.secret} data-testid={testId}>
        {shown}
      </div>
      <div className={classes.line}>
        <CopyButton text={text} label={label} variant={isMain ? 'filled' : 'default'} />
      </div>
    </>
  )
}
