// Uploads figures: choose a file, say how to read it where that is unclear, see what it would change and which contracts it
// moves, or what is wrong with it, then import it.
import { Button, Progress, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TableLayout } from '../../../../src/core/series/table-layout.ts'
import type { UploadResult } from '../../../../src/views/shapes/series.ts'
import type { ApiFailure } from '../../../api.ts'
import { State } from '../../../components/figures/figures.tsx'
import { FileDrop } from '../../../components/inputs/file-drop.tsx'
import { LinkButton } from '../../../components/page/links.tsx'
import { Empty, PageHead, Section, Trouble } from '../../../components/page/page.tsx'
import { countOf, sentenceCase, writeFrequency } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { Changes, Moves } from './changes.tsx'
import { type GivenColumns, nothingGiven, type UploadMode } from './lines.ts'
import { Mapping } from './mapping.tsx'
import { Problems, SeriesFound, verdictOf } from './result.tsx'
import { FileShape } from './shape.tsx'
import classes from './upload.module.css'
import { type Upload, type UploadState, useUpload } from './use-upload.ts'

export function SeriesUploadPage() {
  const { slug, canEdit } = useWorkspace()
  return (
    <>
      <PageHead
        title="Upload figures"
        crumbs={[{ label: 'Series', to: '/w/$ws/series', params: { ws: slug } }]}
        under="A table of values as CSV, XLSX or JSON, as your spreadsheet writes it. You see every value it would change, and the contracts it moves, before anything is imported; it is imported whole or not at all."
      />
      {canEdit ? (
        <Uploading />
      ) : (
        <Empty title="Your role cannot upload figures">
          Owners and editors of the workspace can. You see everything they have imported.
        </Empty>
      )}
    </>
  )
}

function Uploading() {
  const upload = useUpload()
  const [file, setFile] = useState<File | null>(null)
  const [given, setGiven] = useState(nothingGiven)
  const [sheet, setSheet] = useState('')
  const [layout, setLayout] = useState<TableLayout | null>(null)
  const start = (mode: UploadMode, by = layout, chosen = file) =>
    chosen !== null && upload.start(chosen, mode, { given, sheet, layout: by })
  const choose = (chosen: File | null) => {
    if (chosen === null) return
    setFile(chosen)
    setLayout(null)
    start('preview', null, chosen)
  }
  const readBy = (chosen: TableLayout) => {
    setLayout(chosen)
    start('preview', chosen)
  }
  const isWorkbook = file !== null && /\.xlsx$/i.test(file.name)
  const change = (next: GivenColumns, nextSheet: string) => {
    setGiven(next)
    setSheet(nextSheet)
    if (upload.state.kind !== 'look') upload.reset()
  }
  return (
    <>
      <FileDrop
        file={file}
        choose={choose}
        isBusy={upload.state.kind === 'sending' || upload.state.kind === 'reading'}
        kinds={['.csv', '.xlsx', '.json']}
      />
      <GivenFields {...{ given, sheet, isWorkbook, change }} />
      {file !== null && upload.state.kind === 'waiting' && (
        <div className={classes.actions}>
          <Button onClick={() => start('preview')}>Look at the file</Button>
        </div>
      )}
      {upload.state.kind === 'look' ? (
        <Mapping look={upload.state.look} hasSeries={given.series.trim() !== ''} read={readBy} />
      ) : (
        <Outcome upload={upload} start={start} />
      )}
      <FileShape />
    </>
  )
}

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'ANNUAL']
const dataTypes = ['INDEX', 'PRICE', 'RATE', 'FX', 'WAGE']

interface GivenFieldsProps {
  readonly given: GivenColumns
  readonly sheet: string
  readonly isWorkbook: boolean
  readonly change: (given: GivenColumns, sheet: string) => void
}

/** For files from elsewhere: what they leave out is entered here. */
function GivenFields({ given, sheet, isWorkbook, change }: GivenFieldsProps) {
  const put = (name: keyof GivenColumns) => (text: string | null) => change({ ...given, [name]: text ?? '' }, sheet)
  const field = (name: keyof GivenColumns, label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={given[name]}
      onChange={event => put(name)(event.currentTarget.value)}
    />
  )
  return (
    <details className={classes.given}>
      <summary>
        The file is about one series and has no column for it, or the table is not on the first worksheet
      </summary>
      <div className={classes.fields}>
        {field('series', 'Code of the series', 'scrap-e3')}
        {field('name', 'Name', 'Scrap, grade E3')}
        {field('unit', 'Unit', 'EUR/t')}
        <Select
          label="Frequency"
          placeholder="Taken from the periods"
          data={frequencies.map(value => ({ value, label: sentenceCase(writeFrequency(value)) }))}
          value={given.frequency === '' ? null : given.frequency}
          onChange={put('frequency')}
          clearable
        />
        <Select
          label="Kind"
          placeholder="Index"
          data={dataTypes.map(value => ({
            value,
            label: value === 'FX' ? 'Exchange rate' : sentenceCase(value.toLowerCase()),
          }))}
          value={given.dataType === '' ? null : given.dataType}
          onChange={put('dataType')}
          clearable
        />
        <TextInput
          label="Worksheet"
          placeholder="The first"
          value={sheet}
          disabled={!isWorkbook && sheet === ''}
          onChange={event => change(given, event.currentTarget.value)}
        />
      </div>
    </details>
  )
}

interface OutcomeProps {
  readonly upload: Upload
  /** `layout`: use this layout instead of the one chosen last. */
  readonly start: (mode: UploadMode, layout?: TableLayout | null) => void
}

function Outcome({ upload: { state, reset }, start }: OutcomeProps) {
  if (state.kind === 'waiting' || state.kind === 'look') return null
  if (state.kind === 'failed')
    return (
      <Section title="That did not work">
        {canHelp(state.failure) ? (
          <Trouble error={state.failure} retry={() => start(state.mode)} />
        ) : (
          <Trouble error={state.failure} />
        )}
      </Section>
    )
  if (state.kind === 'read') return <Read result={state.result} start={start} />
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

/** If the file itself is refused, sending it again changes nothing. */
function canHelp({ status }: ApiFailure): boolean {
  return status === 0 || status === 429 || status >= 500
}

type Busy = Extract<UploadState, { kind: 'sending' | 'reading' }>

/** Nobody knows how long reading takes, so the bar is full and animated. */
function sharePct(state: Busy): number {
  return state.kind === 'reading' || state.of === 0 ? 100 : Math.round((state.bytes / state.of) * 100)
}

const stageWords = {
  waiting: 'Waiting for its turn',
  reading: 'Reading',
  comparing: 'Comparing with what is stored',
  publishing: 'Importing',
  effects: 'Computing what it does to agreements',
} as const

function progressWords(state: Busy): string {
  if (state.kind === 'sending')
    return state.bytes < state.of ? `Sending, ${sharePct(state)} %` : 'Sent; the server starts reading'
  const { stage, rows, of } = state.progress
  if (of !== undefined) return `${stageWords[stage]}, ${rows} of ${of}`
  return stage === 'waiting' ? stageWords[stage] : `${stageWords[stage]}, ${countOf(rows, 'row')}`
}

function Read({ result, start }: { readonly result: UploadResult } & Pick<OutcomeProps, 'start'>) {
  const { slug } = useWorkspace()
  const isDone = result.mode === 'import' && result.problemCount === 0
  const { added, revised } = result.totals
  const { layout } = result
  const readOtherwise = layout !== null && !isDone && (
    <Button variant="subtle" size="xs" onClick={() => start('look', null)}>
      Read it in another way
    </Button>
  )
  if (result.problemCount > 0)
    return (
      <Section title="What is wrong with the file">
        <Problems result={result} />
        {readOtherwise}
      </Section>
    )
  return (
    <Section title={isDone ? 'Imported' : 'What the file would change'}>
      <p className={classes.verdict} aria-live="polite">
        {isDone ? <State kind="good">{sentenceCase(verdictOf(result))}</State> : sentenceCase(verdictOf(result))}
      </p>
      {result.notes.map(note => (
        <p key={note} className="soft">
          {sentenceCase(note)}
        </p>
      ))}
      <div className={classes.actions}>
        {!isDone && added + revised > 0 && (
          <Button onClick={() => start('import', layout)}>Import {countOf(added + revised, 'value')}</Button>
        )}
        {!isDone && added + revised === 0 && (
          <>
            <Button variant="default" onClick={() => start('import', layout)}>
              Import it anyway
            </Button>
            <span className="soft">A name or unit that differs would be changed.</span>
          </>
        )}
        {readOtherwise}
        {isDone && result.series[0]?.id != null && (
          <LinkButton to="/w/$ws/series/$id" params={{ ws: slug, id: result.series[0].id }} variant="filled">
            See {result.series.length === 1 ? 'the series' : 'the first series'}
          </LinkButton>
        )}
        {isDone && (
          <LinkButton to="/w/$ws/series" params={{ ws: slug }}>
            To all series
          </LinkButton>
        )}
      </div>
      {!isDone && <Moves result={result} slug={slug} />}
      {!isDone && <Changes result={result} slug={slug} />}
      <SeriesFound result={result} slug={slug} />
    </Section>
  )
}
