// The dialog before many things are signed at once: each agreement with its prices and its effect, totals per currency and unit,
// and the proof of who signs in view all the time. Then come progress and a result that names the signed things and the others.
import { Button, Progress } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { LoadingRows, Trouble } from '../../../components/page/page.tsx'
import { DatedTermsLines } from '../../../components/signing/dated-terms.tsx'
import { SigningFoot } from '../../../components/signing/signing-dialog.tsx'
import { useNarrow } from '../../../components/table/use-narrow.ts'
import { countOf, formatCount } from '../../../components/words/words.ts'
import { RunResult } from './run-result.tsx'
import type { Selection, SelectionSize } from './selection.ts'
import { sizeOf } from './selection.ts'
import classes from './sign-offs.module.css'
import { ChangesSigned, Totals, WhatIsSigned } from './signed-items.tsx'
import type { SigningRun } from './signing-run.ts'
import { useManySigning } from './use-many-signing.ts'
import { type AskedToSign, useToSign } from './use-to-sign.ts'

interface SignManyProps {
  readonly selection: Selection
  readonly close: () => void
  /** Called with the keys of the rows that were signed, after each piece. */
  readonly signed: (keys: ReadonlySet<string>) => void
  /** Called with the result, when the person has seen it. */
  readonly done: (run: SigningRun) => void
}

export function SignManyDialog({ selection, close, signed, done }: SignManyProps) {
  const asked = useToSign(selection)
  const size = useRef(sizeOf(selection)).current
  const isNarrow = useNarrow()
  const isReady = asked.read === asked.wanted
  const { run, hash, signing, cancel } = useManySigning(asked, isReady, {
    signed,
    // A single signed thing needs no report.
    ended: after => {
      if (selection.size === 1 && after.refused.length === 0) done(after)
    },
  })
  useWarningWhile(signing.isSigning && run !== null)
  const isRunning = signing.isSigning && run !== null
  const isOver = run !== null && !isRunning
  const leave = isRunning ? cancel : run === null ? close : () => done(run)
  return (
    <Dialog onClose={leave} title={titleOf(size, asked)} size={960} fullScreen={isNarrow} closeOnClickOutside={false}>
      <div className={classes.dialog}>
        {asked.error !== null ? (
          <Trouble error={asked.error} />
        ) : !isReady ? (
          <Preparing asked={asked} />
        ) : isRunning ? (
          <Running run={run} cancel={cancel} />
        ) : isOver ? (
          <RunResult run={run} close={leave} />
        ) : (
          <Asking asked={asked} />
        )}
        {isReady && !isRunning && (run === null ? hasAny(asked) : run.left.length > 0) && (
          <SigningFoot words={buttonOf(size, asked, run)} hash={hash} signing={signing} close={leave} />
        )}
      </div>
    </Dialog>
  )
}

/** `125 agreements and 2 corrections`. */
export function formatSize({ agreements, corrections, changes }: Omit<SelectionSize, 'periods'>): string {
  const parts = [
    ...(agreements > 0 ? [countOf(agreements, 'agreement')] : []),
    ...(corrections > 0 ? [countOf(corrections, 'correction')] : []),
    ...(changes > 0 ? [`${countOf(changes, 'change')} of terms`] : []),
  ]
  return parts.join(' and ')
}

function titleOf(size: SelectionSize, { agreements, corrections, changes }: AskedToSign): string {
  if (countAll(size) > 1) return `Sign ${formatSize(size)}`
  const name = agreements[0]?.name ?? corrections[0]?.name ?? changes[0]?.name
  return name === undefined ? 'Sign' : `Sign ${name}`
}

function countAll({ agreements, corrections, changes }: SelectionSize): number {
  return agreements + corrections + changes
}

function buttonOf(size: SelectionSize, asked: AskedToSign, run: SigningRun | null): string {
  if (run !== null) return `Go on with the other ${formatCount(run.total - run.done)}`
  const { agreements, corrections, changes } = asked
  if (countAll(size) === 1) return `Sign as ${agreements[0]?.as ?? corrections[0]?.as ?? changes[0]?.as ?? 'a party'}`
  const counts = { agreements: agreements.length, corrections: corrections.length, changes: changes.length }
  return `Sign ${formatSize(counts)}`
}

function hasAny({ agreements, corrections, changes }: AskedToSign): boolean {
  return agreements.length + corrections.length + changes.length > 0
}

function Preparing({ asked: { read, wanted } }: { readonly asked: AskedToSign }) {
  return (
    <div aria-live="polite">
      <p>
        Reading the numbers to sign: {formatCount(read)} of {countOf(wanted, 'agreement')}
      </p>
      <Progress value={(100 * read) / wanted} aria-label="Agreements read" />
      <LoadingRows rows={4} />
    </div>
  )
}

function Asking({ asked }: { readonly asked: AskedToSign }): ReactNode {
  const { agreements, corrections, changes, refused, datedTerms } = asked
  return (
    <>
      <Totals agreements={agreements} corrections={corrections} />
      {datedTerms !== null && agreements.length > 0 && <DatedTermsLines terms={datedTerms} />}
      {refused.length > 0 && (
        <div role="alert" className={classes.refused}>
          <p>{countOf(refused.length, 'agreement')} cannot be signed now:</p>
          <ul>
            {refused.map(({ slug, name, why }) => (
              <li key={slug}>
                {name}: {why}
              </li>
            ))}
          </ul>
        </div>
      )}
      <WhatIsSigned agreements={agreements} corrections={corrections} />
      {changes.length > 0 && <ChangesSigned changes={changes} />}
      <p className="soft">
        Once both sides have signed, these numbers are fixed for good. A signature cannot be withdrawn. An agreement
        whose numbers have changed in the meantime is not signed; it is listed afterwards.
      </p>
    </>
  )
}

function Running({ run, cancel }: { readonly run: SigningRun; readonly cancel: () => void }) {
  const [isStopping, setStopping] = useState(false)
  return (
    <>
      <div className={classes.progress} role="status">
        <p className={classes.progressWords}>
          {formatCount(run.done)} of {formatCount(run.total)}
        </p>
        <Progress value={(100 * run.done) / run.total} size="lg" aria-label="Signed so far" />
        <p className="soft">Signatures already made stay, even if this page is closed now.</p>
      </div>
      <div className={classes.progressActions}>
        <Button
          variant="default"
          disabled={isStopping}
          onClick={() => {
            setStopping(true)
            cancel()
          }}
        >
          {isStopping ? 'Stops after this part' : 'Stop'}
        </Button>
      </div>
    </>
  )
}

/** Asks before the page is left in the middle. */
function useWarningWhile(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isOn])
}
