// One adjustment, as a sheet that can be taken into a negotiation: the number, the reasons for it, every line and figure
// behind it, and the signatures below.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { AdjustmentPage as AdjustmentView } from '../../../../src/views/shapes/agreements.ts'
import {
  AsItStood,
  type CutAddress,
  NothingThen,
  PastNote,
  useCut,
  whileFetched,
} from '../../../components/agreements/as-it-stood.tsx'
import { NotThere } from '../../../components/agreements/missing-agreement.tsx'
import { adjustmentQuery, type CutTexts, cutQuery } from '../../../components/agreements/queries.ts'
import { reportedOf } from '../../../components/agreements/settled-numbers.ts'
import { CorrectedWords } from '../../../components/agreements/settled-words.tsx'
import { missingParties } from '../../../components/agreements/sign-state.tsx'
import { SupplierTime } from '../../../components/agreements/supplier-time.tsx'
import { Contributions } from '../../../components/calculation/contributions.tsx'
import { Observations } from '../../../components/calculation/observations.tsx'
import classes from '../../../components/calculation/sheet.module.css'
import { Worksheet } from '../../../components/calculation/worksheet.tsx'
import { differenceIfBoth } from '../../../components/figures/decimals.ts'
import { Tag } from '../../../components/figures/figures.tsx'
import { CopyAsCurl, CopyButton } from '../../../components/page/copy.tsx'
import { Facts } from '../../../components/page/facts.tsx'
import { IconDownload, IconLeft, IconPrint, IconRight } from '../../../components/page/icons.tsx'
import { LinkButton, TextLink } from '../../../components/page/links.tsx'
import { LoadingPage, PageHead, Section } from '../../../components/page/page.tsx'
import { SignatureBlock } from '../../../components/signing/signature-block.tsx'
import { formatCancelled } from '../../../components/words/cancelled-words.ts'
import { formatMoneyChange } from '../../../components/words/price-words.ts'
import { formatAdjustment, formatGround, formatPath } from '../../../components/words/step-words.ts'
import { formatInstant, formatMoney, formatPct } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { History } from './history.tsx'
import { Objections } from './objections.tsx'
import { SignPanel } from './sign-panel.tsx'
import { Today } from './today.tsx'

export function AdjustmentPage() {
  const workspace = useWorkspace()
  const { slug = '', period = '' } = useParams({ strict: false })
  const at = useCut()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...adjustmentQuery(workspace, slug, period, at.cut),
    // While another day is being fetched, the page keeps showing the previous one.
    placeholderData: (before, query) =>
      query?.queryKey[3] === slug && query.queryKey[5] === period ? before : undefined,
  })
  const retry = () => void refetch()
  if (data === undefined) {
    if (error === null) return <LoadingPage />
    return at.isPast ? (
      <NothingThen slug={slug} title={period} error={error} retry={retry} {...at} />
    ) : (
      <NotThere slug={slug} title={period} error={error} retry={retry} />
    )
  }
  // Another period is another sheet and keeps no state of the previous one.
  return <Adjustment key={`${slug} ${data.entry.period}`} page={data} at={whileFetched(at, isPlaceholderData)} />
}

function Adjustment({ page, at }: { readonly page: AdjustmentView; readonly at: CutAddress }) {
  const { slug: ws } = useWorkspace()
  const { agreement, entry, sentence, steps, observations, signing } = page
  const { slug, name } = agreement
  const isCorrected = entry.settled?.correction != null
  return (
    <article className={classes.sheet}>
      <PageHead
        title={`Adjustment ${entry.period}`}
        crumbs={[
          { label: 'Agreements', to: '/w/$ws/agreements', params: { ws } },
          { label: name, to: '/w/$ws/agreements/$slug', params: { ws, slug } },
        ]}
        under={`${name}, adjustment date ${formatDate(entry.adjustmentDate)}`}
        actions={<Actions page={page} cut={at.cut} />}
      />
      <PastNote cut={at.cut} change={at.change} />
      <SupplierTime asSupplier={agreement.asSupplier} />
      <div className={classes.top}>
        <div>
          <Answer page={page} />
          <p className={classes.sentence}>
            {isCorrected ? 'As it was signed: ' : formatPath(entry.ground)}
            {sentence.replaceAll(' %', '\u202f%')}
          </p>
          <Cancelled page={page} />
          <Today page={page} />
          <Section title={isCorrected ? 'Where the signed number comes from' : 'Where it comes from'}>
            <Contributions
              {...page}
              adjustmentPct={entry.adjustmentPct}
              cumulativePct={entry.cumulativePct}
              priceBefore={page.pathPrice === null ? null : formatMoney(page.pathPrice, agreement.price?.currency)}
              basePrice={
                agreement.price === null ? null : formatMoney(agreement.price.amount, agreement.price.currency)
              }
            />
          </Section>
        </div>
        <SignPanel page={page} isPast={at.isPast} />
      </div>
      <Section title={isCorrected ? 'The calculation that was signed, line by line' : 'The calculation, line by line'}>
        <Worksheet steps={steps} />
      </Section>
      <Section title="The figures it was computed from">
        <Observations observations={observations} workspace={ws} />
      </Section>
      <div className="no-print">
        <History slug={slug} period={entry.period} currency={agreement.price?.currency} knownAt={at.cut.knownAt} />
      </div>
      <AsItStood slug={slug} asked={at.asked} change={at.change} />
      <Objections page={page} />
      <Section title="Signatures">
        <Provenance page={page} />
        <SignatureBlock entry={entry} signers={page.signers} moved={signing.moved} />
      </Section>
    </article>
  )
}

/** A figure that was never published is a fact of the number, signed or not. */
function Cancelled({ page: { cancelled } }: { readonly page: AdjustmentView }) {
  if (cancelled.length === 0) return null
  return (
    <div className={classes.cancelled}>
      {cancelled.map(each => (
        <p key={`${each.series.reference} ${each.period}`}>{formatCancelled(each)}</p>
      ))}
    </div>
  )
}

interface ActionsProps {
  readonly page: AdjustmentView
  readonly cut: CutTexts
}

function Actions({ page: { agreement, entry, previousPeriod, nextPeriod }, cut }: ActionsProps) {
  const { slug: ws, path } = useWorkspace()
  const { slug } = agreement
  const to = '/w/$ws/agreements/$slug/periods/$period'
  const receipt = `/console${path('/agreements/:slug/periods/:period/receipt', { slug, period: entry.period })}`
  return (
    <>
      {previousPeriod !== null && (
        <LinkButton
          size="xs"
          to={to}
          params={{ ws, slug, period: previousPeriod }}
          search={{ ...cut }}
          leftSection={<IconLeft />}
        >
          {previousPeriod}
        </LinkButton>
      )}
      {nextPeriod !== null && (
        <LinkButton
          size="xs"
          to={to}
          params={{ ws, slug, period: nextPeriod }}
          search={{ ...cut }}
          rightSection={<IconRight />}
        >
          {nextPeriod}
        </LinkButton>
      )}
      <CopyAsCurl path={`/pams/${slug}/adjustment?period=${entry.period}${cutQuery(cut, '&')}`} />
      {cutQuery(cut) === '' && (
        <Button
          component="a"
          variant="subtle"
          size="xs"
          leftSection={<IconDownload />}
          href={receipt}
          download={`${slug}-${entry.period}.json`}
        >
          Receipt
        </Button>
      )}
      <Button variant="subtle" size="xs" leftSection={<IconPrint />} onClick={() => window.print()}>
        Print
      </Button>
      <LinkButton
        size="xs"
        to="/w/$ws/agreements/$slug/periods/$period/print"
        params={{ ws, slug, period: entry.period }}
        search={{ ...cut }}
      >
        Other language
      </LinkButton>
    </>
  )
}

function Answer({ page: { agreement, entry } }: { readonly page: AdjustmentView }) {
  const { price } = agreement
  const { settled, step, ground } = entry
  const number = reportedOf(entry)
  const before = step.priceBefore
  const difference = differenceIfBoth(before, number.price)
  const adjustment = formatAdjustment(step, number.adjustmentPct)
  const words = formatGround(step, ground)
  return (
    <div className={classes.answer}>
      <p className={classes.number}>{formatPct(step.changePct)}</p>
      {number.price !== null && (
        <p className={classes.price}>
          {before !== null && (
            <>
              <span className="figures">{formatMoney(before, price?.currency)}</span>
              <span className={classes.arrow}> → </span>
            </>
          )}
          <strong className="figures">{formatMoney(number.price, price?.currency)}</strong>
          {price?.unit != null && price.unit !== '' && ` per ${price.unit}`}
          {difference !== null && (
            <span className="soft figures"> ({formatMoneyChange(difference, price?.currency)})</span>
          )}
        </p>
      )}
      <p className={classes.since}>
        {formatPct(number.cumulativePct)} since the start,{' '}
        {settled !== null
          ? 'settled'
          : missingParties(entry.signatures).length === 0
            ? 'signed by both sides'
            : 'proposed, not signed by both'}
        {adjustment !== null && `; ${adjustment}`}
      </p>
      {words !== null && <p className={classes.since}>{words}</p>}
      {settled?.correction != null && (
        <p className={classes.since}>
          <CorrectedWords settled={settled} />; signed as {formatPct(entry.adjustmentPct)}
        </p>
      )}
    </div>
  )
}

function Provenance({ page: { agreement, entry, isFromReceipt, issuedAt } }: { readonly page: AdjustmentView }) {
  const { slug: ws } = useWorkspace()
  return (
    <div className={classes.provenance}>
      <Facts
        isSmall
        facts={[
          {
            label: 'Formula version',
            value: (
              <TextLink to="/w/$ws/agreements/$slug/versions" params={{ ws, slug: agreement.slug }}>
                {entry.formulaVersion.toString()}
              </TextLink>
            ),
          },
          { label: 'Figures', value: <Tag tag={entry.dataVersion} /> },
          {
            label: isFromReceipt ? 'Receipt kept since' : 'Receipt',
            value: issuedAt !== null ? formatInstant(issuedAt) : isFromReceipt ? 'kept' : 'as it stands now',
          },
          {
            label: 'Hash of the receipt (SHA-256)',
            value: (
              <span className={classes.hash}>
                <span className="mono">{entry.hash}</span>
                <span className="no-print">
                  <CopyButton text={entry.hash} variant="subtle" />
                </span>
              </span>
            ),
          },
        ]}
      />
    </div>
  )
}
