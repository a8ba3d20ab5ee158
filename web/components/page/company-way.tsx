// Sign-in by the identity provider of a company: the button that leads there, and the provider that this browser used before.
import { Button } from '@mantine/core'
import type { WayInView } from '../../../src/views/shapes/session.ts'
import { api } from '../../api.ts'
import { useRequest } from '../dialog/use-request.ts'
import classes from './entry.module.css'
import { Trouble } from './page.tsx'

const usedMark = 'assize-way-in'

/** Provider that somebody signed in by in this browser. */
export function usedWayIn(): string | null {
  try {
    return localStorage.getItem(usedMark)
  } catch {
    return null
  }
}

export function forgetWayIn(): void {
  try {
    localStorage.removeItem(usedMark)
  } catch {
    // Without storage there is nothing to forget.
  }
}

function rememberWayIn(wayIn: string): void {
  try {
    localStorage.setItem(usedMark, wayIn)
  } catch {
    // Without storage the address is opened again next time.
  }
}

interface CompanyWayProps {
  readonly way: WayInView
  readonly words: string
  /** The token of the one-time link that is accepted with it. */
  readonly link?: string
  readonly returnTo?: string | undefined
}

export function CompanyWay({ way, words, link, returnTo }: CompanyWayProps) {
  const { error, isPending, ask } = useRequest()
  const go = () =>
    ask(async () => {
      const { url } = await api.post('/sso/begin', {
        wayIn: way.wayIn,
        ...(link === undefined ? {} : { link }),
        ...(returnTo === undefined ? {} : { returnTo }),
      })
      rememberWayIn(way.wayIn)
      location.assign(url)
      // The page stays as it is until the other one is there.
      await new Promise(() => undefined)
    })
  return (
    <div className={classes.form}>
      <Button onClick={() => void go()} loading={isPending}>
        {words}
      </Button>
      <p className="soft">
        You sign in at <strong>{way.host}</strong> and come back here.
      </p>
      {error !== null && <Trouble error={error} />}
    </div>
  )
}
