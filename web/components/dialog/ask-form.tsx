// A form with its fields, its trouble, and the button that submits it; and such a form as a dialog.
import { Button, type ModalProps } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { State } from '../figures/figures.tsx'
import { Trouble } from '../page/page.tsx'
import classes from './ask-form.module.css'
import { Dialog } from './dialog.tsx'
import { useRequest } from './use-request.ts'

interface AskFormProps {
  readonly children: ReactNode
  /** The text of the button: `Revoke the key`. */
  readonly action: string
  readonly isDangerous?: boolean
  readonly isReady?: boolean
  readonly run: () => Promise<unknown>
  /** Text beside the button after success, until something is typed: for a form that stays on the page. */
  readonly doneWords?: string
  /** The second button, Cancel, which leaves everything as it is. */
  readonly cancel?: () => void
}

export function AskForm({
  children,
  action,
  isDangerous = false,
  isReady = true,
  run,
  doneWords,
  cancel,
}: AskFormProps) {
  const { error, isPending, ask } = useRequest()
  const [isDone, setDone] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setDone(false)
    setDone(await ask(run))
  }
  return (
    <form
      onSubmit={event => void submit(event)}
      onChange={() => setDone(false)}
      className={doneWords === undefined ? classes.form : `${classes.form} ${classes.onPage}`}
    >
      {children}
      {error !== null && <Trouble error={error} />}
      <div className={cancel === undefined ? classes.line : classes.actions}>
        {cancel !== undefined && (
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
        )}
        <Button
          type="submit"
          variant={doneWords === undefined ? 'filled' : 'default'}
          color={isDangerous ? 'red.8' : 'ink'}
          loading={isPending}
          disabled={!isReady}
        >
          {action}
        </Button>
        {doneWords !== undefined && <span aria-live="polite">{isDone && <State kind="good">{doneWords}</State>}</span>}
      </div>
    </form>
  )
}

interface FormDialogProps extends Omit<AskFormProps, 'doneWords' | 'cancel'> {
  readonly title: string
  readonly size?: ModalProps['size']
  /** Also called when the form has done its work. */
  readonly close: () => void
}

/** Asks before something happens: it says what will happen, and its button names the action. */
export function FormDialog({ title, size = 520, close, run, ...form }: FormDialogProps) {
  const runAndClose = async () => {
    await run()
    close()
  }
  return (
    <Dialog onClose={close} title={title} size={size}>
      <AskForm {...form} run={runAndClose} cancel={close} />
    </Dialog>
  )
}
