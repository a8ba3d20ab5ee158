// Result of signing many things: the signed ones, the others with reasons, and the rest.
import { Button } from '@mantine/core'
import { ApiFailure } from '../../../api.ts'
import { State } from '../../../components/figures/figures.tsx'
import { asSentence, countOf, formatCount } from '../../../components/words/words.ts'
import classes from './sign-offs.module.css'
import { Cancelled, type SigningRun } from './signing-run.ts'

interface RunResultProps {
  readonly run: SigningRun
  readonly close: () => void
}

export function RunResult({ run, close }: RunResultProps) {
  const { refused, left, stopped } = run
  return (
    <div role="status" className={classes.result}>
      <p>
        <State kind="good">{asSentence(formatSigned(run))}</State>
      </p>
      {refused.length > 0 && (
        <>
          <p>
            <State kind="trouble">{countOf(refused.length, 'agreement')} not signed:</State>
          </p>
          <ul className={classes.refusedList}>
            {refused.map(({ slug, name, why }) => (
              <li key={`${slug} ${why}`}>
                <strong>{name}</strong>: {asSentence(why)}
              </li>
            ))}
          </ul>
        </>
      )}
      {left.length > 0 ? (
        <p>
          <State kind="waiting">
            {formatCount(run.total - run.done)} of {formatCount(run.total)} are left. {formatStopped(stopped)}
          </State>
        </p>
      ) : (
        <div className={classes.progressActions}>
          <Button data-autofocus onClick={close}>
            Close
          </Button>
        </div>
      )}
    </div>
  )
}

function formatSigned({ signed, signedAgreements, signedCorrections, signedChanges }: SigningRun): string {
  const periods = signed - signedCorrections - signedChanges
  const parts = [
    ...(signedAgreements > 0 || signedCorrections + signedChanges === 0
      ? [`${countOf(periods, 'period')} of ${countOf(signedAgreements, 'agreement')}`]
      : []),
    ...(signedCorrections > 0 ? [countOf(signedCorrections, 'correction')] : []),
    ...(signedChanges > 0 ? [`${countOf(signedChanges, 'change')} of terms`] : []),
  ]
  return `${parts.join(' and ')} signed`
}

function formatStopped(stopped: unknown): string {
  if (stopped instanceof Cancelled) return stopped.message
  return stopped instanceof ApiFailure ? asSentence(stopped.message) : 'Something went wrong.'
}
