// Row of the inbox, opened beside the list: its periods, the reasons for the newest number, the signatures, and the actions. The
// list stays where it is.

import { Button, CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import { changeWords } from '../../../../src/core/true-up/change-kinds.ts'
import type { AdjustmentPage } from '../../../../src/views/shapes/agreements.ts'
import type { ChangeRow, CorrectionRow, InboxPeriod, PeriodsRow } from '../../../../src/views/shapes/inbox.ts'
import { adjustmentQuery } from '../../../components/agreements/queries.ts'
import { Contributions } from '../../../components/calculation/contributions.tsx'
import { State } from '../../../components/figures/figures.tsx'
import { PriceWay } from '../../../components/figures/price-way.tsx'
import { termsChangeQuery } from '../../../components/index-changes/queries.ts'
import { IconSign } from '../../../components/page/icons.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { LoadingRows, Trouble } from '../../../components/page/page.tsx'
import { DatedTermsLines } from '../../../components/signing/dated-terms.tsx'
import { SignatureBlock } from '../../../components/signing/signature-block.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { correctionQuery } from '../../../components/true-up/queries.ts'
import { formatMoneyChange } from '../../../components/words/price-words.ts'
import { formatSide } from '../../../components/words/side-words.ts'
import { formatGround, formatPath } from '../../../components/words/step-words.ts'
import { countOf, formatMoney, formatPct, formatPrice, formatSigned } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { ChangePanel } from '../../index-changes/change/change-panel.tsx'
import { CorrectionPanel } from '../../true-up/correction/correction-panel.tsx'
import { ObjectDialog } from '../adjustment/object-dialog.tsx'
import { type InboxLine, keyOfLine } from './inbox-table.tsx'
import { figuresOf } from './row-figures.ts'
import classes from './sign-offs.module.css'
import { stateOfRow } from './state-words.ts'

interface InboxPanelProps {
  readonly line: InboxLine
  readonly close: () => void
  /** Asks for the signature of this line; then goes on to the next row, if that is wanted. */
  readonly sign: (goesOn: boolean) => void
  readonly objecting: { readonly isAsked: boolean; readonly ask: (isAsked: boolean) => void }
}

export function InboxPanel({ line, close, sign, objecting }: InboxPanelProps) {
  const { row, period } = line
  const { slug: ws } = useWorkspace()
  const { kind, words } = stateOfRow(row)
  return (
    <aside className={classes.panel} aria-label={`Beside the list: ${row.name}`}>
      <header className={classes.panelHead}>
        <div>
          <h2>
            <TextLink to="/w/$ws/agreements/$slug" params={{ ws, slug: row.slug }}>
              {row.name}
            </TextLink>
          </h2>
          <p className="soft">{formatSide(row.supplier) ?? 'no supplier named'}</p>
        </div>
        <CloseButton aria-label="Close" onClick={close} />
      </header>
      <State kind={kind}>{words}</State>
      {row.kind === 'periods' ? (
        <Periods key={keyOfLine(line)} row={row} through={period} sign={sign} objecting={objecting} />
      ) : row.kind === 'correction' ? (
        <Correction key={row.id} row={row} />
      ) : (
        <Change key={row.id} row={row} />
      )}
    </aside>
  )
}

interface PeriodsProps extends Omit<InboxPanelProps, 'line' | 'close'> {
  readonly row: PeriodsRow
  /** The marked period, up to which it is signed; null where all of the row is. */
  readonly through: InboxPeriod | null
}

function Periods({ row, through, sign, objecting }: PeriodsProps) {
  const workspace = useWorkspace()
  const [shown, setShown] = useState((through ?? row.periods.at(-1)!).period)
  const period = row.periods.some(each => each.period === shown) ? shown : row.periods.at(-1)!.period
  const { data, error } = useQuery(adjustmentQuery(workspace, row.slug, period))
  return (
    <>
      <Sums row={row} />
      {row.as !== null && (
        <div className={classes.panelActions}>
          <Button size="xs" leftSection={<IconSign />} onClick={() => sign(true)}>
            Sign and next
          </Button>
          <Button size="xs" variant="default" onClick={() => sign(false)}>
            {through === null ? 'Sign' : `Sign up to ${through.period}`}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={data?.objections.as == null}
            onClick={() => objecting.ask(true)}
          >
            Object to {period}
          </Button>
        </div>
      )}
      <PeriodTable row={row} shown={period} show={setShown} />
      {data === undefined ? (
        error === null ? (
          <LoadingRows rows={4} />
        ) : (
          <Trouble error={error} />
        )
      ) : (
        <>
          {row.as !== null && <DatedTermsLines terms={data.datedTerms} />}
          <Adjustment page={data} />
        </>
      )}
      {objecting.isAsked && data?.objections.as != null && (
        <ObjectDialog page={data} party={data.objections.as} close={() => objecting.ask(false)} />
      )}
    </>
  )
}

function Sums({ row }: { readonly row: PeriodsRow }) {
  const { effect, ...step } = figuresOf(row)
  const { priceBefore, price, changePct } = step
  const words = formatGround(step, row.ground)
  return (
    <>
      <p className={classes.sums}>
        {price !== null && (
          <strong className="figures">
            {priceBefore !== null && `${formatMoney(priceBefore, null)} → `}
            {formatPrice(price, row.currency, row.unit)}
          </strong>
        )}
        {changePct !== null && <span className="figures"> {formatPct(changePct)}</span>}
        {effect !== null && (
          <span className="soft"> {formatMoneyChange(effect, row.currency)} for the declared quantities</span>
        )}
      </p>
      {words !== null && <p className={classes.ground}>{words}</p>}
    </>
  )
}

interface PeriodTableProps {
  readonly row: PeriodsRow
  readonly shown: string
  readonly show: (period: string) => void
}

function PeriodTable({ row, shown, show }: PeriodTableProps) {
  if (row.periods.length === 1) return null
  return (
    <div className={classes.periods}>
      <DataTable
        label="Its periods"
        rows={row.periods}
        keyOf={({ period }) => period}
        rowProps={({ period }) => ({ 'data-opened': period === shown || undefined, className: classes.row })}
        columns={[
          {
            head: 'Period',
            cell: ({ period }) => (
              <button
                type="button"
                className={classes.open}
                aria-pressed={period === shown}
                onClick={() => show(period)}
              >
                {period}
              </button>
            ),
          },
          { head: '%', figure: ({ changePct }) => formatSigned(changePct) },
          { head: 'Price', isRight: true, cell: step => <PriceWay step={step} currency={null} unit={null} /> },
        ]}
      />
    </div>
  )
}

/** Why the number is what it is, and who has signed it. */
function Adjustment({ page }: { readonly page: AdjustmentPage }) {
  const { slug: ws } = useWorkspace()
  const { agreement, entry, sentence, signing } = page
  const { price } = agreement
  return (
    <section aria-label={`Adjustment ${entry.period}`}>
      <h3 className={classes.panelTitle}>
        <TextLink
          className="in-text"
          to="/w/$ws/agreements/$slug/periods/$period"
          params={{ ws, slug: agreement.slug, period: entry.period }}
        >
          Adjustment {entry.period}
        </TextLink>
        <span className="soft"> {formatDate(entry.adjustmentDate)}</span>
      </h3>
      <p>
        {formatPath(entry.ground)}
        {sentence.replaceAll(' %', '\u202f%')}
      </p>
      <Contributions
        {...page}
        adjustmentPct={entry.adjustmentPct}
        cumulativePct={entry.cumulativePct}
        priceBefore={page.pathPrice === null ? null : formatMoney(page.pathPrice, price?.currency)}
        basePrice={price === null ? null : formatMoney(price.amount, price.currency)}
      />
      <SignatureBlock entry={entry} signers={page.signers} moved={signing.moved} />
    </section>
  )
}

function Change({ row }: { readonly row: ChangeRow }) {
  const workspace = useWorkspace()
  const { slug: ws } = workspace
  const [before, after] = row.series
  const { data, error } = useQuery(termsChangeQuery(workspace, row.id))
  return (
    <>
      <p>
        {row.change === 'SPLICE'
          ? `${after} takes the place of ${before} from ${formatDate(row.effectiveFrom)} on.`
          : `Proposed from ${formatDate(row.effectiveFrom)} on: ${changeWords[row.change]}.`}{' '}
        <TextLink className="in-text" to="/w/$ws/index-changes/$id" params={{ ws, id: row.id }}>
          The proposal with its figures
        </TextLink>
      </p>
      {data === undefined ? (
        error === null ? (
          <LoadingRows rows={4} />
        ) : (
          <Trouble error={error} />
        )
      ) : (
        <ChangePanel page={data} />
      )}
    </>
  )
}

function Correction({ row }: { readonly row: CorrectionRow }) {
  const workspace = useWorkspace()
  const { slug: ws } = workspace
  const { data, error } = useQuery(correctionQuery(workspace, row.id))
  return (
    <>
      <p className={classes.sums}>
        {row.net !== null && <strong className="figures">{formatMoneyChange(row.net, row.currency)}</strong>}{' '}
        <TextLink className="in-text" to="/w/$ws/corrections/$id" params={{ ws, id: row.id }}>
          The correction of {countOf(row.periods, 'signed period')}
        </TextLink>
      </p>
      {data === undefined ? (
        error === null ? (
          <LoadingRows rows={4} />
        ) : (
          <Trouble error={error} />
        )
      ) : (
        <>
          <p>{data.sentence}</p>
          <CorrectionPanel page={data} />
        </>
      )}
    </>
  )
}
