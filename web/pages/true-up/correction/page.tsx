// One correction, as a sheet that can be taken into a negotiation: the amount and the reason, the money by invoice line and by
// period, the signatures, and at the end both calculations of every period side by side.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { formatDate } from '../../../../src/core/text/words.ts'
import type {
  CorrectedSheets,
  CorrectionPage as CorrectionView,
  SheetView,
} from '../../../../src/views/shapes/true-up.ts'
import { ApiFailure } from '../../../api.ts'
import sheet from '../../../components/calculation/sheet.module.css'
import { Worksheet } from '../../../components/calculation/worksheet.tsx'
import { State } from '../../../components/figures/figures.tsx'
import { CopyButton } from '../../../components/page/copy.tsx'
import { Facts } from '../../../components/page/facts.tsx'
import { IconDownload, IconPrint } from '../../../components/page/icons.tsx'
import { LinkButton, TextLink } from '../../../components/page/links.tsx'
import { Empty, LoadingPage, PageHead, Section, Trouble } from '../../../components/page/page.tsx'
import { SignatureBlock } from '../../../components/signing/signature-block.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { correctionQuery } from '../../../components/true-up/queries.ts'
import classes from '../../../components/true-up/true-up.module.css'
import { formatAmount, formatBalance, formatCause, stateWords } from '../../../components/true-up/words.ts'
import { formatFigure, formatInstant, formatPct, formatPrice } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { CorrectionPanel } from './correction-panel.tsx'

export function CorrectionPage() {
  const workspace = useWorkspace()
  const { id = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(correctionQuery(workspace, id))
  if (data === undefined) {
    if (error === null) return <LoadingPage />
    const isMissing = error instanceof ApiFailure && error.status === 404
    return (
      <>
        <PageHead title="Correction" />
        {isMissing ? (
          <Empty title="Not found">There is no such correction, or you may not see it.</Empty>
        ) : (
          <Trouble error={error} retry={() => void refetch()} />
        )}
      </>
    )
  }
  return <Correction key={`${id} ${data.correction.state}`} page={data} />
}

function Correction({ page }: { readonly page: CorrectionView }) {
  const { agreement, correction, sentence, sheets, lines } = page
  return (
    <article className={sheet.sheet}>
      <Head page={page} />
      <div className={sheet.top}>
        <div>
          <Answer correction={correction} />
          <p className={sheet.sentence}>{sentence}</p>
        </div>
        <CorrectionPanel page={page} />
      </div>
      {lines.length > 0 && (
        <Section title="By invoice line">
          <Lines page={page} />
        </Section>
      )}
      <Section title="Period by period">
        <Periods page={page} />
      </Section>
      <Section title="Signatures">
        <Signatures page={page} />
      </Section>
      {sheets.map(each => (
        <Sheets key={each.period} sheets={each} correction={correction} agreement={agreement} />
      ))}
    </article>
  )
}

function Head({ page: { agreement, correction } }: { readonly page: CorrectionView }) {
  const { slug: ws, path } = useWorkspace()
  const { slug, name } = agreement
  const { id, waived, proposedAt, proposedBy } = correction
  return (
    <PageHead
      title={waived ? 'Waiver' : 'Correction'}
      crumbs={[
        { label: 'Agreements', to: '/w/$ws/agreements', params: { ws } },
        { label: name, to: '/w/$ws/agreements/$slug', params: { ws, slug } },
        { label: 'Ledger', to: '/w/$ws/agreements/$slug/ledger', params: { ws, slug } },
      ]}
      under={`${name}, proposed ${formatInstant(proposedAt)} by ${proposedBy}`}
      actions={
        <>
          <LinkButton size="xs" to="/w/$ws/agreements/$slug/ledger" params={{ ws, slug }}>
            Ledger
          </LinkButton>
          <Button
            component="a"
            variant="subtle"
            size="xs"
            leftSection={<IconDownload />}
            href={`/console${path('/corrections/:id/receipt', { id })}`}
            download={`${slug}-${id}.json`}
          >
            Receipt
          </Button>
          <Button variant="subtle" size="xs" leftSection={<IconPrint />} onClick={() => window.print()}>
            Print
          </Button>
        </>
      }
    />
  )
}

function Answer({ correction: { net, currency, waived } }: Pick<CorrectionView, 'correction'>) {
  const whoPays = net?.startsWith('-') ? 'the supplier pays back' : 'the buyer pays in addition'
  return (
    <div className={sheet.answer}>
      <p className={sheet.number}>{net === null ? 'No amount' : formatAmount(net, currency)}</p>
      <p className={sheet.since}>
        {net === null
          ? 'No invoice lines or quantities are stored for these periods'
          : waived
            ? 'waived by both sides'
            : whoPays}
      </p>
    </div>
  )
}

function Signatures({ page: { correction, signatures, signers } }: { readonly page: CorrectionView }) {
  const { hash, level, state } = correction
  return (
    <>
      <Facts
        isSmall
        facts={[
          { label: 'State', value: <State kind={stateWords[state].kind}>{stateWords[state].words}</State> },
          { label: 'Level', value: level === 'HEAL' ? 'later periods stay as signed' : 'later periods follow' },
          {
            label: 'Hash of the correction (SHA-256)',
            value: (
              <span className={sheet.hash}>
                <span className="mono">{hash}</span>
                <span className="no-print">
                  <CopyButton text={hash} variant="subtle" />
                </span>
              </span>
            ),
          },
        ]}
      />
      <SignatureBlock entry={{ hash, signatures }} signers={signers} moved={[]} />
    </>
  )
}

function Periods({ page: { correction, agreement } }: { readonly page: CorrectionView }) {
  const { periods, causes, currency } = correction
  const { unit } = agreement
  return (
    <>
      <DataTable
        label="Periods"
        isTall
        rows={periods}
        keyOf={({ period }) => period}
        columns={[
          { head: 'Period', isRowHead: true, className: 'figures', cell: ({ period }) => period },
          {
            head: 'Factor',
            isRight: true,
            narrow: ({ factorBefore, factorAfter }) => (
              <span className="under">
                factor {formatFigure(factorBefore)} → {formatFigure(factorAfter)}
              </span>
            ),
            cell: ({ factorBefore, factorAfter }) => `${formatFigure(factorBefore)} → ${formatFigure(factorAfter)}`,
          },
          {
            head: 'Price',
            isRight: true,
            className: classes.moved,
            cell: ({ priceBefore, priceAfter }) =>
              priceBefore !== null &&
              priceAfter !== null &&
              `${formatFigure(priceBefore)} → ${formatPrice(priceAfter, currency, unit)}`,
          },
          {
            head: 'Amount',
            isRight: true,
            cell: ({ amount }) => (amount === null ? '' : formatAmount(amount, currency)),
          },
        ]}
      />
      {causes.length > 0 && (
        <p className="soft">
          Because of {causes.map(formatCause).slice(0, 4).join('; ')}
          {causes.length > 4 && ` and ${causes.length - 4} more`}.
        </p>
      )}
    </>
  )
}

interface SheetsProps {
  readonly sheets: CorrectedSheets
  readonly correction: CorrectionView['correction']
  readonly agreement: CorrectionView['agreement']
}

function Sheets({ sheets: { period, adjustmentDate, before, after, settled }, correction, agreement }: SheetsProps) {
  const { slug: ws } = useWorkspace()
  const { slug, unit } = agreement
  const { currency, state } = correction
  if (before === null || after === null) return null
  const differing = after.steps.find(step => before.steps.find(({ name }) => name === step.name)?.value !== step.value)
  const marked = differing?.name ?? null
  return (
    <Section
      title={`${period}, both calculations`}
      actions={
        <TextLink to="/w/$ws/agreements/$slug/periods/$period" params={{ ws, slug, period }}>
          As it was signed
        </TextLink>
      }
    >
      <p className="soft">
        Adjustment date {formatDate(adjustmentDate)}. The first line that differs is marked.
        {settled === null && ' Another correction has settled this period since.'}
      </p>
      <div className={classes.sheets}>
        <Calculation
          title={settled === 'before' ? 'As settled now' : 'As settled before'}
          sheet={before}
          currency={currency}
          unit={unit}
          marked={marked}
        />
        <Calculation
          title={
            settled === 'after'
              ? 'As settled now'
              : state === 'AGREED'
                ? 'As settled by this correction'
                : 'As it would be corrected'
          }
          sheet={after}
          currency={currency}
          unit={unit}
          marked={marked}
        />
      </div>
    </Section>
  )
}

interface CalculationProps {
  readonly title: string
  readonly sheet: SheetView
  readonly currency: string | null
  readonly unit: string | null
  readonly marked: string | null
}

function Calculation({ title, sheet: view, currency, unit, marked }: CalculationProps) {
  return (
    <div>
      <h3>
        {title}: {formatPct(view.adjustmentPct)}
        {view.price !== null && `, ${formatPrice(view.price, currency, unit)}`}
      </h3>
      <Worksheet steps={view.steps} marked={marked} />
    </div>
  )
}

function Lines({ page: { lines, correction } }: { readonly page: CorrectionView }) {
  const { currency } = correction
  const money = (amount: string) => (currency === null ? amount : formatBalance(amount, currency))
  return (
    <DataTable
      label="Invoice lines"
      isTall
      rows={lines}
      keyOf={({ supplier, invoice, line, item, period }) => `${supplier} ${invoice} ${line} ${item} ${period}`}
      columns={[
        {
          head: 'Invoice',
          isRowHead: true,
          cell: ({ invoice, line, supplier }) => (
            <>
              {invoice === null ? 'Declared quantity' : `${invoice}, line ${line}`}
              {supplier !== null && <span className="under">{supplier}</span>}
            </>
          ),
        },
        {
          head: 'Item',
          narrow: ({ item, period }) => <span className="under">{`${item}, ${period}`}</span>,
          cell: ({ item }) => item,
        },
        { head: 'Period', narrow: 'drop', className: 'figures', cell: ({ period }) => period },
        { head: 'Quantity', isRight: true, cell: ({ quantity }) => formatFigure(quantity) },
        { head: 'Before', isRight: true, narrow: 'drop', cell: ({ amountBefore }) => money(amountBefore) },
        { head: 'Corrected', isRight: true, narrow: 'drop', cell: ({ amountAfter }) => money(amountAfter) },
        { head: 'Difference', isRight: true, cell: ({ amount }) => formatAmount(amount, currency) },
      ]}
    />
  )
}
