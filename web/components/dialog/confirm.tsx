// Asks before something that cannot be undone: it says what will happen, and its button names the action.
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Trouble } from '../page/page.tsx'
import classes from './confirm.module.css'
import { Dialog } from './dialog.tsx'
import { useRequest } from './use-request.ts'

interface ConfirmProps {
  readonly title: string
  readonly children: ReactNode
  /** The text of the button: `Revoke the key`. */
  readonly action: string
  readonly isDangerous?: boolean
  readonly run: () => Promise<void>
  readonly close: () => void
}

export function Confirm({ title, children, action, isDangerous = false, run, close }: ConfirmProps) {
  const { error, isPending, ask } = useRequest()
  const go = async () => {
    if (await ask(run)) close()
  }
  return (
    <Dialog onClose={close} title={title}>
      <div className={classes.words}>{children}</div>
      {error !== null && <Trouble error={error} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={close}>
          Leave it
        </Button>
        <Button color={isDangerous ? 'red.8' : 'ink'} loading={isPending} onClick={() => void go()}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
