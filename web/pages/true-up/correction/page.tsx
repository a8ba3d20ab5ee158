// One correction, as a sheet that can be taken into a negotiation: the amount, the reason, both calculations of every period
// side by side, the invoice lines behind it, and the signatures below.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
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
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import { correctionQuery } from '../../../components/true-up/queries.ts'
import classes from '../../../components/true-up/true-up.module.css'
import { stateWords, writeAmount, writeBalance, writeCause } from '../../../components/true-up/words.ts'
import { writeDay, writeFigure, writeInstant, writePctLike, writePrice } from '../../../components/words/words.ts'
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
          <Empty title="Not found">There is no such correction, or it is not for you.</Empty>
        ) : (
          <Trouble error={error} retry={() => void refetch()} />
        )}
      </>
    )
  }
  return <Correction key={`${id} ${data.correction.state}`} page={data} />
}

function Correction({ page }: { readonly page: CorrectionView }) {
  const { slug: ws, path } = useWorkspace()
  const { formula, correction, sentence, sheets, lines, signatures, signers } = page
  const { slug, name } = formula
  const { id, hash, net, currency, waived, state, proposedAt, proposedBy } = correction
  const receipt = `/console${path('/corrections/:id/receipt', { id })}`
  return (
    <article className={sheet.sheet}>
      <PageHead
        title={waived ? 'Waiver' : 'Correction'}
        crumbs={[
          { label: 'Formulas', to: '/w/$ws/formulas', params: { ws } },
          { label: name, to: '/w/$ws/formulas/$slug', params: { ws, slug } },
          { label: 'Ledger', to: '/w/$ws/formulas/$slug/ledger', params: { ws, slug } },
        ]}
        under={`${name}, proposed ${writeInstant(proposedAt)} by ${proposedBy}`}
        actions={
          <>
            <LinkButton size="xs" to="/w/$ws/formulas/$slug/ledger" params={{ ws, slug }}>
              Ledger
            </LinkButton>
            <Button
              component="a"
              variant="subtle"
              size="xs"
              leftSection={<IconDownload />}
              href={receipt}
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
      <div className={sheet.top}>
        <div>
          <div className={sheet.answer}>
            <p className={sheet.number}>{net === null ? 'No amount' : writeAmount(net, currency)}</p>
            <p className={sheet.since}>
              {net === null
                ? 'No invoice lines or quantities are stored for these periods'
                : waived
                  ? 'waived by both sides'
                  : net.startsWith('-')
                    ? 'the supplier pays back'
                    : 'the buyer pays in addition'}
            </p>
          </div>
          <p className={sheet.sentence}>{sentence}</p>
        </div>
        <CorrectionPanel page={page} />
      </div>
      <Section title="Period by period">
        <Periods page={page} />
      </Section>
      {sheets.map(each => (
        <Sheets key={each.period} sheets={each} currency={currency} formula={formula} />
      ))}
      {lines.length > 0 && (
        <Section title="Invoice lines">
          <Lines page={page} />
        </Section>
      )}
      <Section title="Signatures">
        <Facts
          isSmall
          facts={[
            { label: 'State', value: <State kind={stateWords[state].kind}>{stateWords[state].words}</State> },
            {
              label: 'Level',
              value: correction.level === 'HEAL' ? 'later periods stay as signed' : 'later periods follow',
            },
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
      </Section>
    </article>
  )
}

function Periods({ page: { correction, formula } }: { readonly page: CorrectionView }) {
  const { periods, causes, currency } = correction
  const { unit } = formula
  return (
    <>
      <ScrollX label="Periods">
        <table className={`ledger ${classes.table}`}>
          <thead>
            <tr>
              <th scope="col">Period</th>
              <th scope="col" className="right on-wide">
                Factor
              </th>
              <th scope="col" className="right">
                Price
              </th>
              <th scope="col" className="right">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {periods.map(({ period, factorBefore, factorAfter, priceBefore, priceAfter, amount }) => (
              <tr key={period}>
                <th scope="row">
                  {period}
                  <span className={`${classes.note} on-narrow`}>
                    factor {writeFigure(factorBefore)} → {writeFigure(factorAfter)}
                  </span>
                </th>
                <td className="right figures on-wide">
                  {writeFigure(factorBefore)} → {writeFigure(factorAfter)}
                </td>
                <td className={`right ${classes.moved}`}>
                  {priceBefore !== null &&
                    priceAfter !== null &&
                    `${writeFigure(priceBefore)} → ${writePrice(priceAfter, currency, unit)}`}
                </td>
                <td className="right figures">{amount === null ? '' : writeAmount(amount, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      {causes.length > 0 && (
        <p className="soft">
          Because of {causes.map(writeCause).slice(0, 4).join('; ')}
          {causes.length > 4 && ` and ${causes.length - 4} more`}.
        </p>
      )}
    </>
  )
}

interface SheetsProps {
  readonly sheets: CorrectedSheets
  readonly currency: string | null
  readonly formula: CorrectionView['formula']
}

function Sheets({ sheets: { period, adjustmentDate, before, after }, currency, formula }: SheetsProps) {
  const { slug: ws } = useWorkspace()
  const { slug, unit } = formula
  if (before === null || after === null) return null
  const differing = after.steps.find(step => before.steps.find(({ name }) => name === step.name)?.value !== step.value)
  const marked = differing?.name ?? null
  return (
    <Section
      title={`${period}, both calculations`}
      actions={
        <TextLink to="/w/$ws/formulas/$slug/periods/$period" params={{ ws, slug, period }}>
          As it was signed
        </TextLink>
      }
    >
      <p className="soft">Adjustment date {writeDay(adjustmentDate)}. The first line that differs is marked.</p>
      <div className={classes.sheets}>
        <Calculation
          title="As settled now"
          sheet={before}
          other={after}
          currency={currency}
          unit={unit}
          marked={marked}
        />
        <Calculation
          title="As corrected"
          sheet={after}
          other={before}
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
  /** The one beside it. */
  readonly other: SheetView
  readonly currency: string | null
  readonly unit: string | null
  readonly marked: string | null
}

function Calculation({ title, sheet: view, other, currency, unit, marked }: CalculationProps) {
  return (
    <div>
      <h3>
        {title}: {writePctLike(view.adjustmentPct, other.adjustmentPct)}
        {view.price !== null && `, ${writePrice(view.price, currency, unit)}`}
      </h3>
      <Worksheet steps={view.steps} marked={marked} />
    </div>
  )
}

function Lines({ page: { lines, correction } }: { readonly page: CorrectionView }) {
  const { currency } = correction
  const money = (amount: string) => (currency === null ? amount : writeBalance(amount, currency))
  return (
    <ScrollX label="Invoice lines">
      <table className={`ledger ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">Invoice</th>
            <th scope="col" className="on-wide">
              Item
            </th>
            <th scope="col" className="on-wide">
              Period
            </th>
            <th scope="col" className="right">
              Quantity
            </th>
            <th scope="col" className="right on-wide">
              As settled
            </th>
            <th scope="col" className="right on-wide">
              As corrected
            </th>
            <th scope="col" className="right">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(each => (
            <tr key={`${each.supplier} ${each.invoice} ${each.line} ${each.item} ${each.period}`}>
              <th scope="row">
                {each.invoice === null ? 'Declared quantity' : `${each.invoice}, line ${each.line}`}
                {each.supplier !== null && <span className={classes.note}>{each.supplier}</span>}
                <span className={`${classes.note} on-narrow`}>
                  {each.item}, {each.period}
                </span>
              </th>
              <td className="on-wide">{each.item}</td>
              <td className="figures on-wide">{each.period}</td>
              <td className="right figures">{writeFigure(each.quantity)}</td>
              <td className="right figures on-wide">{money(each.amountBefore)}</td>
              <td className="right figures on-wide">{money(each.amountAfter)}</td>
              <td className="right figures">{writeAmount(each.amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  )
}
