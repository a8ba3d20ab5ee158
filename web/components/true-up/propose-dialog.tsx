// The dialog before corrections of many agreements are proposed and signed: the money of each, the totals, one confirmation. The
// work goes in pieces, says how far it is, and ends with the proposals made, and those that failed with the reasons.
import { Button, Progress } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { DueWanted } from '../../../src/views/calls/true-up-calls.ts'
import type { DueCorrections, ProposedMany } from '../../../src/views/shapes/true-up.ts'
import { api } from '../../api.ts'
import { useWorkspace } from '../../session.ts'
import { AskForm } from '../dialog/ask-form.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { TextLink } from '../page/links.tsx'
import { LoadingRows, Trouble } from '../page/page.tsx'
import { type Batch, makeBatch } from '../signing/batch.ts'
import { SigningDialog } from '../signing/signing-dialog.tsx'
import { useSigning } from '../signing/use-signing.ts'
import { DataTable } from '../table/data-table.tsx'
import { textBounds } from '../words/text-bounds.ts'
import { asSentence, countOf, formatMoney } from '../words/words.ts'
import { dueQuery } from './queries.ts'
import classes from './true-up.module.css'
import { formatFlow } from './words.ts'

interface ProposeProps {
  readonly wanted: DueWanted
  /** Cause of the corrections, in words. */
  readonly what: string
  readonly close: () => void
}

export function ProposeDialog(props: ProposeProps) {
  const workspace = useWorkspace()
  const [result, setResult] = useState<ProposedMany | null>(null)
  const { data, error } = useQuery({ ...dueQuery(workspace, props.wanted), enabled: result === null })
  if (result !== null) return <Result result={result} close={props.close} />
  if (data === undefined || data.rows.length === 0 || data.updating > 0)
    return (
      <Dialog onClose={props.close} title="Propose the due corrections" size={760}>
        {error !== null && <Trouble error={error} />}
        {error === null &&
          (data === undefined || data.updating > 0 ? (
            <>
              {data !== undefined && (
                <p role="status" data-is-known={false}>
                  Computing the due corrections: {countOf(data.updating, 'agreement')} left.
                </p>
              )}
              <LoadingRows rows={4} />
            </>
          ) : (
            <p>No correction is due that you may propose.</p>
          ))}
      </Dialog>
    )
  return <Confirm {...props} due={data} done={setResult} />
}

interface ConfirmProps extends ProposeProps {
  readonly due: DueCorrections
  readonly done: (result: ProposedMany) => void
}

function Confirm({ due, what, close, done }: ConfirmProps) {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const [count, setCount] = useState<number | null>(null)
  const { together } = due
  const { rows, batch } = useMemo(() => proposedAtOnce(due), [due])
  const later = due.rows.length - rows.length
  const send = async (batchId?: string): Promise<ProposedMany> => {
    const all: { proposed: ProposedMany['proposed'][number][]; failed: ProposedMany['failed'][number][] } = {
      proposed: [],
      failed: [],
    }
    try {
      for (let from = 0; from < rows.length; from += together) {
        setCount(from)
        const agreements = rows.slice(from, from + together).map(({ slug, hash, as: party }) => ({
          slug,
          hash,
          party,
          ...(batchId === undefined || party === null ? {} : { salt: batch!.saltOf(hash) }),
        }))
        const body = batchId === undefined ? { agreements } : { agreements, batch: batchId }
        const { proposed, failed } = await api.post(workspace.path('/revisions/propose'), body)
        all.proposed.push(...proposed)
        all.failed.push(...failed)
      }
    } catch (error) {
      // Finished pieces stay: the rest is shown anew.
      await queries.invalidateQueries({ queryKey: ['w', workspace.slug] })
      throw error
    } finally {
      setCount(null)
    }
    return all
  }
  const signers = rows.flatMap(({ slug, hash, as: party }) => (party === null ? [] : [{ slug, hash, party }]))
  const signing = useSigning({
    ...(batch === null ? {} : { batch }),
    ...(signers.length < rows.length ? {} : { asked: { proposals: signers } }),
    send: (_proof, batchId) => send(batchId),
    done,
  })
  const isSigned = batch !== null
  const words = `Propose${isSigned ? ' and sign' : ''} ${countOf(rows.length, 'correction')}`
  const content = (
    <>
      <p>
        {what}.{due.flows.length > 0 && ` In total ${due.flows.map(formatFlow).join(', ')}.`}
        {later > 0 && ` These are the first ${rows.length} of ${due.rows.length}; propose the rest after them.`}
      </p>
      <Agreements rows={rows} />
      {due.leftOut.length > 0 && (
        <p className="soft">
          Left out because they take long to compute: {due.leftOut.map(({ name }) => name).join(', ')}.
        </p>
      )}
      <p className="soft">
        A correction covers every period of its agreement that is due. Once both sides have signed, these prices are
        settled.{isSigned && ' A signature cannot be withdrawn.'} A correction whose amounts have changed in the
        meantime is not proposed.
      </p>
      {count !== null && (
        <div role="status">
          <Progress value={(count / rows.length) * 100} aria-label="Progress" />
          {count} of {rows.length}
        </div>
      )}
    </>
  )
  if (isSigned)
    return (
      <SigningDialog title={words} size={760} words={words} hash={batch.hash} signing={signing} close={close}>
        {content}
      </SigningDialog>
    )
  const propose = async () => {
    done(await send())
    await queries.invalidateQueries({ queryKey: ['w', workspace.slug] })
  }
  return (
    <Dialog onClose={close} title={words} size={760}>
      <AskForm action={words} run={propose} cancel={close}>
        {content}
      </AskForm>
    </Dialog>
  )
}

/** Rows of one touch of a passkey, and the batch it signs; null if nothing is signed at once. */
function proposedAtOnce({ rows }: DueCorrections): { rows: DueCorrections['rows']; batch: Batch | null } {
  const first = rows.slice(0, textBounds.batchEntries)
  const signed = first.filter(({ as }) => as !== null)
  return { rows: first, batch: signed.length === 0 ? null : makeBatch(signed.map(({ hash }) => hash)) }
}

function Agreements({ rows }: { readonly rows: DueCorrections['rows'] }) {
  return (
    <div className={classes.listed}>
      <DataTable
        label="Corrections to propose"
        rows={rows}
        keyOf={({ slug, hash }) => `${slug} ${hash}`}
        columns={[
          { head: 'Agreement', isRowHead: true, cell: ({ name }) => name },
          { head: 'Supplier', narrow: 'line', cell: ({ supplier }) => supplier },
          {
            head: 'Periods',
            className: 'figures',
            narrow: 'line',
            cell: ({ periods }) => (periods.length > 2 ? `${periods[0]} to ${periods.at(-1)}` : periods.join(', ')),
          },
          {
            head: 'Amount',
            isRight: true,
            cell: ({ net, currency, buyer, supplier }) =>
              net === null ? (
                'not known'
              ) : (
                <>
                  {formatMoney(net.replace(/^-/, ''), currency)}
                  <span className="under">to {net.startsWith('-') ? buyer : supplier}</span>
                </>
              ),
          },
        ]}
      />
    </div>
  )
}

function Result({
  result: { proposed, failed },
  close,
}: {
  readonly result: ProposedMany
  readonly close: () => void
}) {
  const { slug: ws } = useWorkspace()
  const isSigned = proposed.some(({ state }) => state !== 'PROPOSED')
  return (
    <Dialog onClose={close} title={failed.length === 0 ? 'Done' : `${failed.length} failed`} size={640}>
      <p role="status">
        {countOf(proposed.length, 'correction')} proposed{isSigned ? ' and signed' : ''}
        {failed.length > 0 && `, ${failed.length} failed`}.
      </p>
      {failed.length > 0 && (
        <DataTable
          label="Agreements that failed"
          rows={failed}
          keyOf={({ slug }) => slug}
          columns={[
            {
              head: 'Agreement',
              isRowHead: true,
              cell: ({ slug }) => (
                <TextLink to="/w/$ws/agreements/$slug/ledger" params={{ ws, slug }}>
                  {slug}
                </TextLink>
              ),
            },
            { head: 'Reason', cell: ({ why }) => asSentence(why) },
          ]}
        />
      )}
      <div className={classes.dialogActions}>
        <Button onClick={close} data-autofocus>
          Close
        </Button>
      </div>
    </Dialog>
  )
}
