// Bring data in: choose a file of any kind, say how to read it where that is unclear, see its changes or its problems, then
// import it.
import { Button, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type ImportKind, importKinds, kindColumns } from '../../../src/core/invoices/table-kinds.ts'
import type { ImportEnd, ImportLook, TableLook } from '../../../src/views/shapes/imports.ts'
import { useHandedOver } from '../../components/inputs/dropped-file.ts'
import { FileDrop } from '../../components/inputs/file-drop.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { Empty, PageHead } from '../../components/page/page.tsx'
import { useWorkspace } from '../../session.ts'
import { Mapping } from '../series/series-upload/mapping.tsx'
import classes from '../series/series-upload/upload.module.css'
import { type AboutProps, AgreementsFields, KindChoice, PriceListFields, WholeFileFields } from './about-file.tsx'
import { ColumnMapping } from './columns.tsx'
import { KindHelp } from './kind-help.tsx'
import { Outcome } from './outcome.tsx'
import {
  type FileReading,
  type GivenColumns,
  type ImportMode,
  nothingGiven,
  readKind,
  type StartImport,
} from './said.ts'
import { useImport } from './use-import.ts'

export function BringInPage() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  return <Wizard asked={readKind(search.kind)} agreement={search.agreement ?? ''} />
}

/** The address that pages of series lead to. */
export function SeriesUploadPage() {
  return <Wizard asked="observations" agreement="" />
}

interface WizardProps {
  /** The kind that the address says. */
  readonly asked: ImportKind | null
  readonly agreement: string
}

function Wizard({ asked, agreement }: WizardProps) {
  const { slug, canEdit } = useWorkspace()
  const kinds: readonly ImportKind[] = canEdit ? importKinds : ['invoices']
  const isAllowed = asked === null || kinds.includes(asked)
  return (
    <>
      <PageHead
        title="Bring data in"
        under={
          canEdit
            ? 'Figures, agreements, price lists, invoice lines, quantities and unit factors, as your systems write them. You see what a file would change before anything is imported; it is imported whole or not at all.'
            : 'Compares billed lines with the settled prices and finds the mistake behind a difference. Nothing is stored.'
        }
      />
      {isAllowed ? (
        <Bringing kinds={kinds} asked={canEdit ? asked : 'invoices'} agreement={agreement} />
      ) : (
        <Empty
          title={
            asked === 'observations' ? 'Your role cannot upload figures' : 'Your role cannot bring in this kind of file'
          }
          action={
            <TextLink to="/w/$ws/bring-in" params={{ ws: slug }}>
              Check invoices
            </TextLink>
          }
        >
          Owners and editors of the workspace can. You see everything they have imported, and can check invoices.
        </Empty>
      )}
    </>
  )
}

interface BringingProps extends WizardProps {
  readonly kinds: readonly ImportKind[]
}

function Bringing({ kinds, asked, agreement }: BringingProps) {
  const importing = useImport()
  const [file, setFile] = useState<File | null>(null)
  const [said, setSaid] = useState<FileReading>({
    kind: asked,
    given: { ...nothingGiven, agreement },
    sheet: '',
    layout: null,
  })
  const { state } = importing
  const end = state.kind === 'read' ? state.end : null
  const kind = said.kind ?? kindOf(end)
  const start = (mode: ImportMode, change: Partial<FileReading> = {}, chosen = file) => {
    const next = { ...said, ...change }
    setSaid(next)
    // A recognised kind stays from here on: the layout belongs to it.
    const isSure = next.layout !== null || mode !== 'preview'
    if (chosen !== null) importing.start(chosen, mode, isSure ? { ...next, kind: next.kind ?? kind } : next)
  }
  const choose = (chosen: File | null) => {
    if (chosen === null) return
    setFile(chosen)
    start('preview', { kind: asked, layout: null }, chosen)
  }
  useHandedOver(choose)
  const isWorkbook = file !== null && /\.xlsx$/i.test(file.name)
  const change = (given: GivenColumns, sheet = said.sheet) => {
    setSaid({ ...said, kind, given, sheet })
    if (end?.stage !== 'look') importing.reset()
  }
  return (
    <>
      <FileDrop
        file={file}
        choose={choose}
        isBusy={state.kind === 'sending' || state.kind === 'reading'}
        kinds={['.csv', '.xlsx', '.json', '.xml']}
      />
      <div className={classes.about}>
        {kinds.length > 1 && (
          <KindChoice
            kinds={kinds}
            kind={kind}
            isRecognised={said.kind === null && kind !== null}
            choose={chosen => start('preview', { kind: chosen, layout: null })}
          />
        )}
        {isWorkbook && (
          <TextInput
            label="Worksheet"
            placeholder="The first"
            value={said.sheet}
            onChange={event => change(said.given, event.currentTarget.value)}
          />
        )}
      </div>
      {end?.stage !== 'look' && <NeededFields kind={kind} given={said.given} change={change} />}
      {kind !== null && <WholeFileFields kind={kind} lacks={end?.lacks} given={said.given} change={change} />}
      {file !== null && state.kind === 'waiting' && (
        <div className={classes.actions}>
          <Button onClick={() => start('preview')}>Look at the file</Button>
        </div>
      )}
      {end?.stage === 'look' ? (
        <Look look={end} said={said} change={change} start={start} />
      ) : (
        <Outcome importing={importing} fileName={file?.name ?? ''} start={start} />
      )}
      {(state.kind === 'waiting' || end?.stage === 'refused') && <KindHelp kind={kind} kinds={kinds} />}
    </>
  )
}

function kindOf(end: ImportEnd | null): ImportKind | null {
  return end !== null && 'kind' in end ? end.kind : null
}

interface LookProps {
  readonly look: ImportLook
  readonly said: FileReading
  readonly change: (given: GivenColumns) => void
  readonly start: StartImport
}

function Look({ look, said, change, start }: LookProps) {
  const { given } = said
  if (look.kind === 'observations') {
    const hasSeries = given.series.trim() !== ''
    return <Mapping look={look} hasSeries={hasSeries} read={layout => start('preview', { kind: look.kind, layout })} />
  }
  return (
    <ColumnMapping
      // Another kind has other columns.
      key={look.kind}
      look={look}
      given={givenColumns(look, given)}
      lacking={given.agreement === '' ? lackingWords(look.kind) : []}
      read={layout => start('preview', { kind: look.kind, layout })}
    >
      <NeededFields kind={look.kind} given={given} change={change} />
    </ColumnMapping>
  )
}

/** Fields that a file of the kind is never read without. */
function NeededFields({ kind, ...about }: AboutProps & { readonly kind: ImportKind | null }) {
  if (kind === 'prices') return <PriceListFields {...about} />
  return kind === 'agreements' ? <AgreementsFields {...about} /> : null
}

function lackingWords(kind: ImportKind): readonly string[] {
  if (kind === 'prices') return ['choose the agreement of the list']
  return kind === 'agreements' ? ['choose the template of the clause'] : []
}

/** Columns of the kind that were said for the whole file. */
function givenColumns({ kind }: TableLook, given: GivenColumns): readonly string[] {
  return kindColumns[kind].givable.filter(name => given[name as keyof GivenColumns].trim() !== '')
}
