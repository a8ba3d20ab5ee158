// Asking before something that cannot be taken back: what will happen in words, and one button that says it.
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './confirm.module.css'
import { Dialog } from './dialog.tsx'
import { Trouble } from './page.tsx'

interface ConfirmProps {
  readonly title: string
  readonly children: ReactNode
  /** The words on the button: `Revoke the key`. */
  readonly action: string
  readonly isDangerous?: boolean
  readonly run: () => Promise<void>
  readonly close: () => void
}

export function Confirm({ title, children, action, isDangerous = false, run, close }: ConfirmProps) {
  const [error, setError] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  const go = async () => {
    setRunning(true)
    setError(null)
    try {
      await run()
      close()
    } catch (failure) {
      setError(failure)
      setRunning(false)
    }
  }
  return (
    <Dialog onClose={close} title={title}>
      <div className={classes.words}>{children}</div>
      {error !== null && <Trouble error={error} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={close}>
          Leave it
        </Button>
        <Button color={isDangerous ? 'red.8' : 'ink'} loading={isRunning} onClick={() => void go()}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
