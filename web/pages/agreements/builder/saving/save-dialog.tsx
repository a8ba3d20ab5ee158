// Save dialog: the difference from the saved document and its effect on the newest periods, shown before anything is saved. If
// somebody else saved meanwhile, the dialog says so; nothing that was written is lost.
import { Button, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SaveRequest } from '../../../../../src/views/calls/agreement-calls.ts'
import type { AgreementPage, Preview, Saved } from '../../../../../src/views/shapes/agreements.ts'
import type { ProblemView } from '../../../../../src/views/shapes/session.ts'
import { ApiFailure, api } from '../../../../api.ts'
import { WordChanges } from '../../../../components/agreements/contract-words.tsx'
import { State } from '../../../../components/figures/figures.tsx'
import { CopyButton } from '../../../../components/page/copy.tsx'
import { LoadingRows, Trouble } from '../../../../components/page/page.tsx'
import { countOf } from '../../../../components/words/words.ts'
import { useWorkspace } from '../../../../session.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { rawAt, textAt } from '../document/document.ts'
import { isNobody, readSideShape } from '../document/shapes.ts'
import { slugTaken } from '../places.ts'
import { type EntryPair, pairEntries } from '../result/entry-rows.ts'
import { ResultTable } from '../result/result-table.tsx'
import type { WordsWork } from '../words/use-words.ts'
import { DiffView } from './diff-view.tsx'
import type { Outcome } from './outcome.ts'
import { ReachNote } from './reach-note.tsx'

/** Saved text that the change is based on. */
export interface Origin {
  readonly text: string
  readonly version: number
  readonly revision: number | null
}

interface SaveDialogProps {
  readonly isOpen: boolean
  readonly close: () => void
  readonly text: string
  readonly words: WordsWork
  readonly slug: string
  readonly origin: Origin
  readonly outcome: Outcome
  readonly preview: Preview
  /** Whether the preview belongs to this text, and not to an earlier one. */
  readonly isCurrent: boolean
  readonly currency: string
  readonly onStored: () => void
  readonly showAgreement: (slug: string) => void
  readonly showProposal: (id: string) => void
  readonly onRefused: (problems: readonly ProblemView[]) => void
  /** Continues from the text that somebody else saved. */
  readonly onOrigin: (origin: Origin) => void
}

const newestShown = 6

export function SaveDialog(props: SaveDialogProps) {
  const { isOpen, close, origin, onStored, showAgreement } = props
  const [proposed, setProposed] = useState<Saved | null>(null)
  if (proposed !== null) return <Proposed {...props} saved={proposed} />
  const title = origin.version === 0 ? 'Save the new agreement' : 'Save the change'
  const onSaved = (saved: Saved) => {
    onStored()
    if (saved.proposal === null) showAgreement(saved.slug)
    else setProposed(saved)
  }
  return (
    <Modal opened={isOpen} onClose={close} title={title} size="xl">
      {isOpen && <Contents {...props} onSaved={onSaved} />}
    </Modal>
  )
}

interface ProposedProps extends Pick<SaveDialogProps, 'showAgreement' | 'showProposal'> {
  readonly saved: Saved
}

/** Notice that the document was not saved: nobody should wait for nothing. */
function Proposed({ saved: { slug, version, proposal }, showAgreement, showProposal }: ProposedProps) {
  const leave = () => showAgreement(slug)
  return (
    <Modal opened onClose={leave} title="Proposed: both sides have to sign">
      <p className="prose">
        Under this contract both sides sign a change of terms, so your change is an amendment that waits for the buyer
        and the supplier. Version {version} governs until both have signed it.
      </p>
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={leave}>
          Back to the agreement
        </Button>
        <Button onClick={() => showProposal(proposal!)}>See the proposal</Button>
      </div>
    </Modal>
  )
}

interface ContentsProps extends SaveDialogProps {
  readonly onSaved: (saved: Saved) => void
}

function Contents(props: ContentsProps) {
  const { text, words, slug, origin, outcome, preview, isCurrent, close } = props
  const { document } = useBuilder()
  const { isSaving, failure, overtaken, save } = useSaving(props)
  return (
    <div className={classes.dialog}>
      {overtaken !== null && <OvertakenNote overtaken={overtaken} />}
      <p className="prose">{formatOutcomeInWords(outcome, origin.version, slug)}</p>
      {isNobody(readSideShape(rawAt(document.root, ['parties', 'supplier']))) && (
        <p className="prose">
          <State kind="waiting">
            No supplier is named: no supplier sees this agreement, and nobody can sign for one.
          </State>
        </p>
      )}
      {origin.version > 0 && (
        <>
          <h3 className={classes.subHead}>Changes of the document</h3>
          <DiffView before={origin.text} after={text} />
        </>
      )}
      {words.isChanged && (
        <>
          <h3 className={classes.subHead}>Changes of the contract’s own words</h3>
          <WordChanges before={words.saved} after={words.sentences} />
        </>
      )}
      <Effect {...props} />
      {preview.warnings.length > 0 && (
        <p className={classes.quiet}>
          {countOf(preview.warnings.length, 'linter warning remains', 'linter warnings remain')}. Warnings do not
          prevent saving.
        </p>
      )}
      {failure !== null && <Trouble error={failure} />}
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={close}>
          Keep editing
        </Button>
        <Button onClick={() => void save()} loading={isSaving} disabled={!isCurrent}>
          {saveWords(outcome, origin.version)}
        </Button>
      </div>
    </div>
  )
}

/** Effect on the newest periods, and which of them have to be signed again. */
function Effect({ origin, outcome, preview, isCurrent, currency }: SaveDialogProps) {
  const { signed, document } = useBuilder()
  const rows = pairEntries(preview)
  const reach = isCurrent && outcome !== 'changed' ? preview.inForce?.reach : null
  return (
    <>
      <h3 className={classes.subHead}>{isCurrent ? formatEffectInWords(rows, origin.version, signed) : 'Effect'}</h3>
      {isCurrent ? (
        <ResultTable
          rows={effectRows(rows)}
          currency={currency}
          unit={textAt(document.root, ['contract', 'price', 'unit'])}
        />
      ) : (
        <LoadingRows rows={3} />
      )}
      {reach != null && <ReachNote reach={reach} signed={preview.inForce!.signed} />}
    </>
  )
}

/** Saves, and shows the text that somebody else saved meanwhile. */
function useSaving({ text, words, slug, origin, onSaved, onRefused, onOrigin }: ContentsProps) {
  const { path, slug: workspace } = useWorkspace()
  const queries = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null)
  const look = async () => {
    const page = await api.get(path('/agreements/:slug', { slug }))
    setOvertaken({ before: origin.text, page })
    onOrigin({ text: page.documentText, version: page.agreement.version, revision: page.revision })
  }
  const save = async () => {
    setSaving(true)
    setFailure(null)
    const request: SaveRequest = {
      text,
      basedOn: origin.version,
      ...(origin.revision === null ? {} : { revision: origin.revision }),
      ...(words.given === undefined ? {} : { words: words.given }),
    }
    try {
      const saved = await api.post(path('/agreements'), request)
      await queries.invalidateQueries({ queryKey: ['w', workspace], refetchType: 'none' })
      // The agreement's page must not show the old numbers, not even for a moment.
      queries.removeQueries({ queryKey: ['w', workspace, 'agreements', saved.slug] })
      onSaved(saved)
      return
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 422 && error.problems.length > 0) onRefused(error.problems)
      else if (error instanceof ApiFailure && error.status === 409 && origin.version === 0) onRefused([slugTaken(slug)])
      else if (error instanceof ApiFailure && error.status === 409) await look().catch(setFailure)
      else setFailure(error)
    }
    setSaving(false)
  }
  return { isSaving, failure, overtaken, save }
}

export function saveWords(outcome: Outcome, version: number): string {
  if (version === 0) return 'Save the agreement'
  if (outcome === 'proposed') return `Propose version ${version + 1}`
  return outcome === 'changed' ? 'Save the description' : `Save version ${version + 1}`
}

function formatOutcomeInWords(outcome: Outcome, version: number, slug: string): string {
  if (version === 0) return `A new agreement is created, with the slug ${slug} as its address.`
  if (outcome === 'proposed')
    return `Under this contract both sides sign a change of terms: version ${version + 1} is proposed, and takes effect once the buyer and the supplier have signed it. Until then version ${version} governs.`
  if (outcome === 'new version')
    return `Version ${version + 1} is created; version ${version} stays, and so does everything that was signed under it.`
  return `Only its description changes (name, description, status, parties or billing terms): version ${version} stays the newest.`
}

/** The newest periods that change, or the newest of all if none does. */
function effectRows(rows: readonly EntryPair[]): readonly EntryPair[] {
  const changed = rows.filter(({ isChanged }) => isChanged)
  return (changed.length > 0 ? changed : rows).slice(0, newestShown)
}

function formatEffectInWords(rows: readonly EntryPair[], version: number, signed: ReadonlySet<string>): string {
  if (version === 0) return 'The newest periods'
  const changed = rows.filter(({ isChanged }) => isChanged)
  if (changed.length === 0) return 'No period changes'
  const fixed = changed.filter(({ period }) => signed.has(period)).length
  const all = `${countOf(changed.length, 'period')} ${changed.length === 1 ? 'changes' : 'change'}`
  const stay =
    fixed === 0 ? '' : `; ${fixed} of them ${fixed === 1 ? 'is' : 'are'} signed and ${fixed === 1 ? 'stays' : 'stay'}`
  return `${all}${stay}${changed.length > newestShown ? `. The newest ${newestShown}:` : ''}`
}

interface Overtaken {
  readonly before: string
  readonly page: AgreementPage
}

function OvertakenNote({ overtaken: { before, page } }: { readonly overtaken: Overtaken }) {
  const [isShown, setShown] = useState(false)
  return (
    <div className={classes.overtaken} role="alert">
      <p>
        Somebody saved this agreement while you were editing: it is now at version {page.agreement.version}. Your text
        is as you left it. The difference to the saved text is below; saving replaces the saved text. To keep those
        changes, continue editing and copy them into your text first.
      </p>
      <div className={classes.row}>
        <Button size="xs" variant="default" onClick={() => setShown(!isShown)} aria-expanded={isShown}>
          {isShown ? 'Hide the difference' : 'Show the difference'}
        </Button>
        <CopyButton text={page.documentText} label="Copy the saved document" />
      </div>
      {isShown && <DiffView before={before} after={page.documentText} />}
    </div>
  )
}
