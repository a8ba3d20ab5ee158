// Outcome of a file: the progress while it is read, its problems, or its changes and the button that imports it.
import { Button, Progress } from '@mantine/core'
import type { ImportResult } from '../../../src/views/shapes/imports.ts'
import type { ApiFailure } from '../../api.ts'
import { State } from '../../components/figures/figures.tsx'
import { Section, Trouble } from '../../components/page/page.tsx'
import { FileProblems } from '../../components/table/file-problems.tsx'
import { countOf } from '../../components/words/words.ts'
import classes from '../series/series-upload/upload.module.css'
import { AgreementsRead } from './agreements-from-table.tsx'
import { FiguresRead } from './figures-read.tsx'
import { InvoicesRead } from './invoices-read.tsx'
import type { StartImport } from './said.ts'
import { TableRead } from './table-read.tsx'
import type { Importing, ImportState } from './use-import.ts'

interface OutcomeProps {
  readonly importing: Importing
  readonly fileName: string
  readonly start: StartImport
}

export function Outcome({ importing: { state, reset }, fileName, start }: OutcomeProps) {
  if (state.kind === 'waiting') return null
  if (state.kind === 'failed')
    return (
      <Section title="The request failed">
        {canHelp(state.failure) ? (
          <Trouble error={state.failure} retry={() => start(state.mode)} />
        ) : (
          <Trouble error={state.failure} />
        )}
      </Section>
    )
  if (state.kind === 'read') {
    const { end } = state
    if (end.stage === 'look') return null
    if (end.stage === 'refused') return <Refused {...end} />
    return <Read result={end} fileName={fileName} start={start} />
  }
  return (
    <div className={classes.progress} role="status">
      <p>{progressWords(state)}</p>
      <Progress value={sharePct(state)} animated={state.kind === 'reading'} aria-label="Progress" />
      <div className={classes.actions}>
        <Button variant="default" size="xs" onClick={reset}>
          Stop
        </Button>
      </div>
    </div>
  )
}

function Read({ result, fileName, start }: { readonly result: ImportResult } & Omit<OutcomeProps, 'importing'>) {
  if (result.kind === 'observations') return <FiguresRead result={result} start={start} />
  const readOtherwise = result.layout !== null && !result.isDone && (
    <Button variant="subtle" size="xs" onClick={() => start('look', { layout: null })}>
      Read it in another way
    </Button>
  )
  if (result.problemCount > 0) return <Refused {...result}>{readOtherwise}</Refused>
  if (result.kind === 'agreements')
    return <AgreementsRead result={result} start={start} readOtherwise={readOtherwise} />
  return result.kind === 'invoices' ? (
    <InvoicesRead result={result} fileName={fileName} start={start} readOtherwise={readOtherwise} />
  ) : (
    <TableRead result={result} start={start} readOtherwise={readOtherwise} />
  )
}

interface RefusedProps extends Pick<ImportResult, 'problems' | 'problemCount'> {
  readonly children?: React.ReactNode
}

function Refused({ problems, problemCount, children }: RefusedProps) {
  return (
    <Section title="Problems of the file">
      <p className={classes.verdict} role="alert">
        <State kind="trouble">
          {countOf(problemCount, 'problem')}; nothing was imported. Fix the file and choose it again.
        </State>
      </p>
      <FileProblems problems={problems} count={problemCount} />
      {children}
    </Section>
  )
}

/** If the file itself is refused, sending it again changes nothing. */
function canHelp({ status }: ApiFailure): boolean {
  return status === 0 || status === 429 || status >= 500
}

type Busy = Extract<ImportState, { kind: 'sending' | 'reading' }>

/** Nobody knows how long reading takes, so the bar is full and animated. */
function sharePct(state: Busy): number {
  return state.kind === 'reading' || state.of === 0 ? 100 : Math.round((state.bytes / state.of) * 100)
}

const stageWords = {
  waiting: 'Waiting for its turn',
  reading: 'Reading',
  comparing: 'Comparing with the stored data',
  publishing: 'Importing',
  effects: 'Computing the effect on agreements',
} as const

function progressWords(state: Busy): string {
  if (state.kind === 'sending')
    return state.bytes < state.of ? `Sending, ${sharePct(state)} %` : 'Sent; the server starts reading'
  const { stage, rows, of } = state.progress
  if (of !== undefined) return `${stageWords[stage]}, ${rows} of ${of}`
  return stage === 'waiting' ? stageWords[stage] : `${stageWords[stage]}, ${countOf(rows, 'row')}`
}
