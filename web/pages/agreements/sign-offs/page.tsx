// What waits for a signature: first from this person, then from others, then what is done.
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { EntryRow, Party, SignedRow, WaitingRow } from '../../../../src/views/shapes/agreements.ts'
import type { SideView } from '../../../../src/views/shapes/parties.ts'
import { waitingSheet } from '../../../components/agreements/list-sheets.ts'
import { writeDisputed } from '../../../components/agreements/objection-words.ts'
import {
  fetchWaiting,
  type SignOffsWanted,
  useSignOffs,
  useWaitingRest,
} from '../../../components/agreements/queries.ts'
import { parties } from '../../../components/agreements/sign-state.tsx'
import { Money, State } from '../../../components/figures/figures.tsx'
import { DueFilter, readMonth, SeriesFilter } from '../../../components/inputs/list-filters.tsx'
import { SupplierFilter } from '../../../components/inputs/supplier-filter.tsx'
import { useAddress } from '../../../components/page/address.ts'
import { IconSearch } from '../../../components/page/icons.tsx'
import { LinkButton, TextLink } from '../../../components/page/links.tsx'
import { Empty, LoadingRows, PageHead, Pending, Section, Trouble } from '../../../components/page/page.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import { VirtualBody } from '../../../components/table/virtual-body.tsx'
import { writeSide } from '../../../components/words/side-words.ts'
import { countOf, evenOut, writeDay, writeSigned } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { agreementsOf, type FoldedRow, foldZeros, type Picked, pickAll, togglePick } from './picking.ts'
import { SignManyDialog } from './sign-many-dialog.tsx'
import classes from './sign-offs.module.css'

export function SignOffsPage() {
  const workspace = useWorkspace()
  const { slug: ws } = workspace
  const [{ q, supplier, series, due }, change] = useAddress()
  const wanted = { q, supplier, series, due: readMonth(due) }
  const { data, error, refetch } = useSignOffs(wanted)
  const isNarrowed = Object.values(wanted).some(each => each !== undefined && each !== '')
  const isEmpty = data !== undefined && data.mine.length + data.others.length + data.recent.length === 0
  const under =
    data === undefined
      ? undefined
      : data.mineCount === 0
        ? 'Nothing waits for you.'
        : `${countOf(data.mineCount, 'adjustment')} ${data.mineCount === 1 ? 'waits' : 'wait'} for you, the oldest first.`
  return (
    <>
      <PageHead
        title="Sign-offs"
        under={under}
        actions={
          data !== undefined &&
          !isEmpty && (
            <ExportMenu
              fileName={`${ws}-sign-offs`}
              isEmpty={data.mineCount + data.othersCount === 0}
              sheet={async () => {
                const sides = (['mine', 'others'] as const).map(side => fetchWaiting(workspace, wanted, side, 0))
                return waitingSheet((await Promise.all(sides)).flat(), workspace.name)
              }}
            />
          )
        }
      />
      {error !== null && <Trouble error={error} retry={() => void refetch()} />}
      <Pending count={data?.pending ?? 0} />
      {data !== undefined && (isNarrowed || !isEmpty) && (
        <search className={classes.filters}>
          <TextInput
            className={classes.query ?? ''}
            aria-label="Search sign-offs"
            placeholder="Name or slug of a formula"
            leftSection={<IconSearch />}
            value={q ?? ''}
            onChange={event => change({ q: event.currentTarget.value || undefined }, 'soon')}
          />
          <SupplierFilter className={classes.filter} choices={data.suppliers} value={supplier} change={change} />
          <SeriesFilter className={classes.filter} value={series} change={change} />
          <DueFilter className={classes.filter} value={wanted.due} change={change} />
        </search>
      )}
      {data === undefined ? (
        error === null && <LoadingRows />
      ) : data.pending > 0 && data.mine.length + data.others.length === 0 ? (
        <LoadingRows />
      ) : isEmpty && isNarrowed ? (
        <Empty title="No matching periods are signed or wait for a signature">Try removing a filter.</Empty>
      ) : isEmpty ? (
        <Empty
          title="There is nothing to sign yet"
          action={
            <LinkButton to="/w/$ws/formulas" params={{ ws }}>
              To the formulas
            </LinkButton>
          }
        >
          As soon as an active formula has a number for a period, buyer and supplier each sign it here. What both have
          signed is fixed.
        </Empty>
      ) : (
        <>
          {data.mine.length > 0 && (
            <Section title="Waits for you">
              <Mine first={data.mine} count={data.mineCount} wanted={wanted} />
            </Section>
          )}
          {data.others.length > 0 && (
            <Section title="Waits for others">
              <Others first={data.others} count={data.othersCount} wanted={wanted} />
            </Section>
          )}
          {data.recent.length > 0 && (
            <Section title="Recently signed by both">
              <Recent rows={data.recent} />
            </Section>
          )}
        </>
      )}
    </>
  )
}

interface WaitingProps {
  readonly first: readonly WaitingRow[]
  readonly count: number
  readonly wanted: SignOffsWanted
}

/** The rest is fetched on request, all of it. */
function useAllRows({ first, count, wanted }: WaitingProps, side: 'mine' | 'others') {
  const [isAsked, setAsked] = useState(false)
  const { data: rest, isFetching } = useWaitingRest(wanted, side, first.length, isAsked && count > first.length)
  const rows = useMemo(() => [...first, ...(rest ?? [])], [first, rest])
  const more = count > rows.length && (
    <p className="soft">
      The oldest {rows.length} are listed, of {countOf(count, 'adjustment')}.{' '}
      <Button size="compact-xs" variant="subtle" loading={isFetching} onClick={() => setAsked(true)}>
        List all
      </Button>
    </p>
  )
  return { rows, more }
}

function Mine(props: WaitingProps) {
  const { rows, more } = useAllRows(props, 'mine')
  const [picked, setPicked] = useState<Picked>(new Map())
  const [isSigning, setSigning] = useState(false)
  const folded = useMemo(() => foldZeros(rows), [rows])
  const agreements = useMemo(() => agreementsOf(rows, picked), [rows, picked])
  const isAll = agreements.length > 0 && folded.every(({ row, count }) => (picked.get(row.slug) ?? 0) >= count)
  return (
    <>
      <div className={classes.picking}>
        <Checkbox
          size="xs"
          label="Pick all"
          checked={isAll}
          indeterminate={!isAll && agreements.length > 0}
          onChange={() => setPicked(isAll ? new Map() : pickAll(rows))}
        />
        <Button size="xs" disabled={agreements.length === 0} onClick={() => setSigning(true)}>
          {agreements.length === 0 ? 'Sign the selected' : `Sign ${countOf(agreements.length, 'agreement')}…`}
        </Button>
        {agreements.length > mostAtOnce && (
          <span className="soft">At most {mostAtOnce} agreements are signed at once; pick fewer.</span>
        )}
      </div>
      <Rows
        label="Waits for you"
        rows={folded.map(({ row }) => row)}
        action="Review and sign"
        mark={markOf}
        note={(_, i) => foldedWords(folded[i]!)}
        pick={{
          isPicked: i => (picked.get(folded[i]!.row.slug) ?? 0) >= folded[i]!.count,
          toggle: i => setPicked(togglePick(picked, folded[i]!)),
        }}
      />
      {more}
      {isSigning && agreements.length > 0 && (
        <SignManyDialog
          agreements={agreements.slice(0, mostAtOnce)}
          close={() => setSigning(false)}
          done={() => {
            setSigning(false)
            setPicked(new Map())
          }}
        />
      )}
    </>
  )
}

/** The limit on the server. */
const mostAtOnce = 100

function markOf({ hasMoved, entry: { disputedBy } }: WaitingRow): string | null {
  if (disputedBy.length > 0) return writeDisputed(disputedBy)
  return hasMoved ? 'moved since it was signed' : null
}

function foldedWords({ folded }: FoldedRow): string | null {
  return folded.length === 0 ? null : `with ${countOf(folded.length, 'period')} of 0\u202f% before`
}

function Others(props: WaitingProps) {
  const { rows, more } = useAllRows(props, 'others')
  const folded = useMemo(() => foldZeros(rows), [rows])
  return (
    <>
      <Rows
        label="Waits for others"
        rows={folded.map(({ row }) => row)}
        action={null}
        mark={markOf}
        note={(_, i) => foldedWords(folded[i]!)}
      />
      {more}
    </>
  )
}

interface Common {
  readonly slug: string
  readonly name: string
  readonly supplier: SideView
  readonly entry: EntryRow
  readonly currency: string | null
  readonly unit: string | null
}

function Recent({ rows }: { readonly rows: readonly SignedRow[] }) {
  return (
    <Rows
      label="Recently signed"
      rows={rows}
      action={null}
      mark={({ entry }) => (entry.today === null ? null : 'would differ today')}
    />
  )
}

function Side({ entry, party }: { readonly entry: EntryRow; readonly party: Party }) {
  const signature = entry.signatures[party]
  return signature === null ? (
    <State kind="waiting">not signed</State>
  ) : (
    <>
      <State kind="good">
        {signature.name}, {writeDay(signature.signedAt)}
      </State>
      {signature.means === 'OPERATOR' && <span className={classes.mark}>by the operator</span>}
    </>
  )
}

interface RowsProps<Row extends Common> {
  readonly label: string
  readonly rows: readonly Row[]
  /** The text of a row's button, if it has one. */
  readonly action: string | null
  /** A label under the period. */
  readonly mark: (row: Row) => string | null
  /** A muted label under the period. */
  readonly note?: (row: Row, index: number) => string | null
  readonly pick?: { readonly isPicked: (index: number) => boolean; readonly toggle: (index: number) => void }
}

const rowHeight = 41

function Rows<Row extends Common>({ label, rows, action, mark, note, pick }: RowsProps<Row>) {
  const { slug: ws, role } = useWorkspace()
  const changes = evenOut(rows.map(({ entry }) => writeSigned(entry.adjustmentPct)))
  return (
    <ScrollX label={label}>
      <table className={`ledger ${classes.table}`}>
        <thead>
          <tr>
            {pick !== undefined && (
              <th scope="col">
                <span className="unseen">Picked</span>
              </th>
            )}
            <th scope="col">Formula</th>
            {role !== 'supplier' && (
              <th scope="col" className="on-wide">
                Supplier
              </th>
            )}
            <th scope="col" className="on-wide">
              Period
            </th>
            <th scope="col" className="on-wide">
              Date
            </th>
            <th scope="col" className="right">
              Adjustment, %
            </th>
            <th scope="col" className="right on-wide">
              Price
            </th>
            <th scope="col" className="on-wide">
              Buyer signed
            </th>
            <th scope="col" className="on-wide">
              Supplier signed
            </th>
            {action !== null && (
              <th scope="col" className="on-wide">
                <span className="unseen">What to do</span>
              </th>
            )}
          </tr>
        </thead>
        <VirtualBody
          rows={rows}
          height={rowHeight}
          columns={10}
          render={(row, i, place) => (
            <tr key={`${row.slug} ${row.entry.period}`} {...place}>
              {pick !== undefined && (
                <td className="pick">
                  <Checkbox
                    size="xs"
                    aria-label={`Pick ${row.name} ${row.entry.period}`}
                    checked={pick.isPicked(i)}
                    onChange={() => pick.toggle(i)}
                  />
                </td>
              )}
              <td className={classes.name}>
                <TextLink to="/w/$ws/formulas/$slug" params={{ ws, slug: row.slug }}>
                  {row.name}
                </TextLink>
                <span className={`${classes.folded} on-narrow`}>
                  {role !== 'supplier' && (
                    <span className="soft">{writeSide(row.supplier) ?? 'no supplier named'}</span>
                  )}
                  <span>
                    <Period row={row} mark={mark(row)} />{' '}
                    <span className="soft">{writeDay(row.entry.adjustmentDate)}</span>
                    {note?.(row, i) != null && <span className={classes.note}>{note(row, i)}</span>}
                  </span>
                  {row.entry.price !== null && (
                    <Money amount={row.entry.price} currency={row.currency} unit={row.unit} />
                  )}
                  {parties.map(party => (
                    <span key={party}>
                      {party}: <Side entry={row.entry} party={party} />
                    </span>
                  ))}
                  {action !== null && <Action row={row} words={action} />}
                </span>
              </td>
              {role !== 'supplier' && (
                <td className={`${classes.side} on-wide`}>
                  {writeSide(row.supplier) ?? <span className="soft">nobody is named</span>}
                </td>
              )}
              <td className="figures on-wide">
                <Period row={row} mark={mark(row)} />
                {note?.(row, i) != null && <span className={classes.note}>{note(row, i)}</span>}
              </td>
              <td className="figures on-wide">{writeDay(row.entry.adjustmentDate)}</td>
              <td className="right">{changes[i]}</td>
              <td className="right on-wide">
                {row.entry.price !== null && <Money amount={row.entry.price} currency={row.currency} unit={row.unit} />}
              </td>
              {parties.map(party => (
                <td key={party} className="on-wide">
                  <Side entry={row.entry} party={party} />
                </td>
              ))}
              {action !== null && (
                <td className={`${classes.action} on-wide`}>
                  <Action row={row} words={action} />
                </td>
              )}
            </tr>
          )}
        />
      </table>
    </ScrollX>
  )
}

function Period({ row: { slug, entry }, mark }: { readonly row: Common; readonly mark: string | null }) {
  const { slug: ws } = useWorkspace()
  return (
    <>
      <TextLink
        className="in-text"
        to="/w/$ws/formulas/$slug/periods/$period"
        params={{ ws, slug, period: entry.period }}
      >
        {entry.period}
      </TextLink>
      {mark !== null && <span className={classes.mark}>{mark}</span>}
    </>
  )
}

function Action({ row: { slug, entry }, words }: { readonly row: Common; readonly words: string }) {
  const { slug: ws } = useWorkspace()
  return (
    <LinkButton size="xs" to="/w/$ws/formulas/$slug/periods/$period" params={{ ws, slug, period: entry.period }}>
      {words}
      <span className="unseen"> {entry.period}</span>
    </LinkButton>
  )
}
