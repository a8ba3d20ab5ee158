// A form of the settings: its fields, what went wrong, and one button that submits it.
import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useRequest } from '../../../components/dialog/use-request.ts'
import { State } from '../../../components/figures/figures.tsx'
import { Trouble } from '../../../components/page/page.tsx'
import classes from '../settings.module.css'

interface AskFormProps {
  readonly children: ReactNode
  /** The text of the button. */
  readonly action: string
  readonly isReady?: boolean
  readonly run: () => Promise<unknown>
  /** For a form that stays on the page: the text beside the button after success, until something is typed. */
  readonly doneWords?: string
}

export function AskForm({ children, action, isReady = true, run, doneWords }: AskFormProps) {
  const { error, isPending, ask } = useRequest()
  const [isDone, setDone] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setDone(false)
    setDone(await ask(run))
  }
  const button = (
    <Button
      type="submit"
      variant={doneWords === undefined ? 'filled' : 'default'}
      loading={isPending}
      disabled={!isReady}
    >
      {action}
    </Button>
  )
  return (
    <form onSubmit={event => void submit(event)} onChange={() => setDone(false)} className={classes.form}>
      {children}
      {error !== null && <Trouble error={error} />}
      {doneWords === undefined ? (
        button
      ) : (
        <div className={classes.line}>
          {button}
          <span aria-live="polite">{isDone && <State kind="good">{doneWords}</State>}</span>
        </div>
      )}
    </form>
  )
}
