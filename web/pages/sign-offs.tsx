// What waits for a signature: first what waits for the person who looks, then what waits for others, then what is done.
import type { EntryRow, Party, SignedRow, WaitingRow } from '../../src/http/console/wire/formulas.ts'
import type { SideView } from '../../src/http/console/wire/parties.ts'
import { useAddress } from '../components/address.ts'
import { Money, State } from '../components/figures.tsx'
import { LinkButton, TextLink } from '../components/links.tsx'
import { Empty, LoadingRows, PageHead, Pending, Section, Trouble } from '../components/page.tsx'
import { ScrollX } from '../components/scroll-x.tsx'
import { writeSide } from '../components/side-words.ts'
import { SupplierFilter } from '../components/supplier-filter.tsx'
import { alignOnPoint, countOf, writeDay, writeSigned } from '../components/words.ts'
import { useWorkspace } from '../session.ts'
import { writeDisputed } from './adjustment/objection-words.ts'
import classes from './adjustment/sign-offs.module.css'
import { useSignOffs } from './formula/queries.ts'
import { parties } from './formula/sign-state.tsx'

export function SignOffsPage() {
  const { slug: ws } = useWorkspace()
  const [{ supplier }, change] = useAddress()
  const { data, error, refetch } = useSignOffs(supplier)
  const under =
    data === undefined
      ? undefined
      : data.mineCount === 0
        ? 'Nothing waits for you.'
        : `${countOf(data.mineCount, 'adjustment')} ${data.mineCount === 1 ? 'waits' : 'wait'} for you, the oldest first.`
  return (
    <>
      <PageHead title="Sign-offs" under={under} />
      {error !== null && <Trouble error={error} retry={() => void refetch()} />}
      <Pending count={data?.pending ?? 0} />
      {data !== undefined && (
        <SupplierFilter className={classes.filter} choices={data.suppliers} value={supplier} change={change} />
      )}
      {data === undefined ? (
        error === null && <LoadingRows />
      ) : data.pending > 0 && data.mine.length + data.others.length === 0 ? (
        <LoadingRows />
      ) : data.mine.length + data.others.length + data.recent.length === 0 && supplier !== undefined ? (
        <Empty title="Nothing of this supplier is signed or waits for a signature">
          Another supplier may have something.
        </Empty>
      ) : data.mine.length + data.others.length + data.recent.length === 0 ? (
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
              <Waiting rows={data.mine} isMine />
              <More shown={data.mine.length} count={data.mineCount} />
            </Section>
          )}
          {data.others.length > 0 && (
            <Section title="Waits for others">
              <Waiting rows={data.others} isMine={false} />
              <More shown={data.others.length} count={data.othersCount} />
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

function More({ shown, count }: { readonly shown: number; readonly count: number }) {
  return shown < count ? (
    <p className="soft">
      The oldest {shown} are listed, of {countOf(count, 'adjustment')}.
    </p>
  ) : null
}

interface Common {
  readonly slug: string
  readonly name: string
  readonly supplier: SideView
  readonly entry: EntryRow
  readonly currency: string | null
}

function Waiting({ rows, isMine }: { readonly rows: readonly WaitingRow[]; readonly isMine: boolean }) {
  return (
    <Rows
      label={isMine ? 'Waits for you' : 'Waits for others'}
      rows={rows}
      action={isMine ? 'Look and sign' : null}
      mark={({ hasMoved, entry }) =>
        entry.disputedBy.length > 0 ? writeDisputed(entry.disputedBy) : hasMoved ? 'moved since it was signed' : null
      }
    />
  )
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
  /** What the button of a row says, where there is one. */
  readonly action: string | null
  /** A word under the period. */
  readonly mark: (row: Row) => string | null
}

function Rows<Row extends Common>({ label, rows, action, mark }: RowsProps<Row>) {
  const { slug: ws, role } = useWorkspace()
  const changes = alignOnPoint(rows.map(({ entry }) => writeSigned(entry.adjustmentPct)))
  return (
    <ScrollX label={label}>
      <table className={`ledger ${classes.table}`}>
        <thead>
          <tr>
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
        <tbody>
          {rows.map((row, i) => (
            <tr key={`${row.slug} ${row.entry.period}`}>
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
                  </span>
                  {row.entry.price !== null && <Money amount={row.entry.price} currency={row.currency} />}
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
              </td>
              <td className="figures on-wide">{writeDay(row.entry.adjustmentDate)}</td>
              <td className="right">{changes[i]}</td>
              <td className="right on-wide">
                {row.entry.price !== null && <Money amount={row.entry.price} currency={row.currency} />}
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
          ))}
        </tbody>
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
