// Page on which anyone can drop a receipt or an evidence package: it is recomputed in this browser, and nothing of it is sent
// anywhere.
import { Button, FileButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import type { PublishedKeys } from '../../../src/core/receipt/verdict.ts'
import { Refusal } from '../../../src/core/refusal.ts'
import { packageLimits } from '../../../src/formats/evidence/package-limits.ts'
import { Mark } from '../../components/page/brand.tsx'
import { IconAlert, IconDownload } from '../../components/page/icons.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { PageHead } from '../../components/page/page.tsx'
import { SchemeButton } from '../../frame/frame.tsx'
import { sessionQuery, wasSignedIn } from '../../session.ts'
import { Judged } from './judged.tsx'
import { JudgedCorrection } from './judged-correction.tsx'
import { JudgedPackage } from './judged-package.tsx'
import { type AnyVerdict, judgeFile } from './verdict.ts'
import classes from './verify.module.css'

type Outcome =
  | { readonly stage: 'nothing' }
  | { readonly stage: 'working'; readonly fileName: string }
  | { readonly stage: 'judged'; readonly fileName: string; readonly judged: AnyVerdict }
  | { readonly stage: 'refused'; readonly fileName: string; readonly words: string }

export function VerifyPage() {
  const [outcome, setOutcome] = useState<Outcome>({ stage: 'nothing' })
  const [isOver, setOver] = useState(false)
  const forget = useRef<() => void>(null)
  const own = useOwnKeys()
  useNoStrayDrops()
  const take = async (file: File | null | undefined) => {
    if (file == null) return
    setOutcome({ stage: 'working', fileName: file.name })
    setOutcome(await look(file))
    // The file can then be chosen again after a change.
    forget.current?.()
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  return (
    <div className={classes.page}>
      <Head />
      <main className={classes.content}>
        <PageHead
          title="Verify a receipt or an evidence package"
          under="A receipt holds everything an adjustment, or a correction, was computed from; an evidence package holds all receipts of an agreement over some periods. They are computed again here, in your browser, from nothing but the file; the file is not sent anywhere."
        />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse; the button inside is for everybody. */}
        <div
          className={`${classes.drop} no-print`}
          data-over={isOver}
          data-done={outcome.stage !== 'nothing'}
          onDragOver={event => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={onDrop}
        >
          <IconDownload />
          <span>
            {outcome.stage === 'nothing'
              ? 'Drop a receipt (JSON) or an evidence package (ZIP) here, or'
              : 'Drop another receipt or package here, or'}
          </span>
          <FileButton
            resetRef={forget}
            accept="application/json,.json,application/zip,.zip"
            onChange={file => void take(file)}
          >
            {props => (
              <Button {...props} variant="default" size="xs">
                Choose a file
              </Button>
            )}
          </FileButton>
        </div>
        <div aria-live="polite" aria-busy={outcome.stage === 'working'}>
          <Shown outcome={outcome} own={own} />
        </div>
      </main>
    </div>
  )
}

async function look(file: File): Promise<Outcome> {
  const fileName = file.name
  if (file.size > packageLimits.bytes)
    return { stage: 'refused', fileName, words: 'it is too large to be a receipt or an evidence package' }
  try {
    const judged = await judgeFile(new Uint8Array(await file.arrayBuffer()))
    return { stage: 'judged', fileName, judged }
  } catch (error) {
    const words =
      error instanceof Refusal
        ? error.message
        : 'it lacks parts that every receipt has, or they are not what they should be'
    return { stage: 'refused', fileName, words }
  }
}

function Shown({ outcome, own }: { readonly outcome: Outcome; readonly own: PublishedKeys | null }) {
  switch (outcome.stage) {
    case 'nothing':
      return <WhereFrom />
    case 'working':
      return <p className="soft">Computing {outcome.fileName} again …</p>
    case 'refused':
      return <NotReadable fileName={outcome.fileName} words={outcome.words} />
    case 'judged':
      return <ShownVerdict fileName={outcome.fileName} judged={outcome.judged} own={own} />
  }
}

interface ShownVerdictProps {
  readonly fileName: string
  readonly judged: AnyVerdict
  readonly own: PublishedKeys | null
}

function ShownVerdict({ fileName, judged, own }: ShownVerdictProps) {
  switch (judged.of) {
    case 'period':
      return <Judged fileName={fileName} verdict={judged.verdict} own={own} />
    case 'correction':
      return <JudgedCorrection fileName={fileName} verdict={judged.verdict} own={own} />
    case 'package':
      return <JudgedPackage fileName={fileName} checked={judged.checked} own={own} />
  }
}

function NotReadable({ fileName, words }: { readonly fileName: string; readonly words: string }) {
  return (
    <div className={classes.verdict} data-kind="bad">
      <IconAlert />
      <div>
        <h2>This cannot be verified</h2>
        <p>
          {fileName}: {words}.
        </p>
        <p className="soft">
          Ask the person who gave it to you for the file as it was downloaded; one that was opened and saved by another
          program may have changed.
        </p>
      </div>
    </div>
  )
}

function WhereFrom() {
  return (
    <div className={`${classes.where} soft prose`}>
      <p>
        Receipts are downloaded from the page of an adjustment, or fetched from the API under{' '}
        <span className="mono">/v1/pams/…/adjustment/receipt</span>. The same check runs on the command line, offline:{' '}
        <span className="mono">assize verify receipt.json</span>.
      </p>
      <p>
        Evidence packages are downloaded from the page of an agreement and checked as a whole: every receipt, every
        correction, every signature, and every other file against the sealed list. On the command line it is{' '}
        <span className="mono">assize verify package.zip</span>.
      </p>
    </div>
  )
}

function Head() {
  const session = useQuery({ ...sessionQuery, enabled: wasSignedIn() }).data
  const workspace = session?.workspaces[0]
  return (
    <header className={`${classes.head} no-print`}>
      <a href="/" className={classes.brand}>
        <Mark />
        Assize
      </a>
      <span className={classes.gap} />
      {workspace === undefined ? (
        <TextLink to="/">Sign in</TextLink>
      ) : (
        <TextLink to="/w/$ws" params={{ ws: workspace.slug }}>
          Back to {workspace.name}
        </TextLink>
      )}
      <SchemeButton />
    </header>
  )
}

/** The keys of this installation, requested before any file is chosen; null if that fails. */
function useOwnKeys(): PublishedKeys | null {
  const [keys, setKeys] = useState<PublishedKeys | null>(null)
  useEffect(() => {
    fetch('/.well-known/assize-keys.json')
      .then(answer => (answer.ok ? (answer.json() as Promise<PublishedKeys>) : null))
      .then(setKeys, () => setKeys(null))
  }, [])
  return keys
}

/** A file dropped outside the drop area would replace the page. */
function useNoStrayDrops() {
  useEffect(() => {
    const stop = (event: Event) => event.preventDefault()
    window.addEventListener('dragover', stop)
    window.addEventListener('drop', stop)
    return () => {
      window.removeEventListener('dragover', stop)
      window.removeEventListener('drop', stop)
    }
  }, [])
}
