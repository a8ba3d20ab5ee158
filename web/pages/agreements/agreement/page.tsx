// One agreement: the price and its course, the signatures, and the document itself.

import { SegmentedControl } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { AgreementPage as AgreementView } from '../../../../src/views/shapes/agreements.ts'
import classes from '../../../components/agreements/agreement.module.css'
import {
  AsItStood,
  type CutAddress,
  NothingThen,
  PastNote,
  useCut,
  whileFetched,
} from '../../../components/agreements/as-it-stood.tsx'
import { NotThere } from '../../../components/agreements/missing-agreement.tsx'
import { cutQuery, useAgreement } from '../../../components/agreements/queries.ts'
import { isOtherToday } from '../../../components/agreements/settled-numbers.ts'
import { SupplierTime } from '../../../components/agreements/supplier-time.tsx'
import { Chart } from '../../../components/chart/chart.tsx'
import { State } from '../../../components/figures/figures.tsx'
import { useAddress } from '../../../components/page/address.ts'
import { CopyAsCurl } from '../../../components/page/copy.tsx'
import { Facts } from '../../../components/page/facts.tsx'
import { LinkButton } from '../../../components/page/links.tsx'
import { Empty, LoadingPage, PageHead, Section } from '../../../components/page/page.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import { useWorkspace } from '../../../session.ts'
import { formatAdvice } from './advice.ts'
import { Agreed } from './agreed-terms.tsx'
import { EvidenceButton } from './evidence.tsx'
import { Periods, periodSheet } from './periods.tsx'
import { priceChart } from './price-chart.ts'
import type { ShownFigure } from './price-course.ts'
import { Prices } from './prices.tsx'
import { settledFacts } from './settled-facts.tsx'

export function AgreementPage() {
  const { slug = '' } = useParams({ strict: false })
  const at = useCut()
  const { data, error, refetch, isPlaceholderData } = useAgreement(slug, at.cut)
  if (data !== undefined) return <Formula page={data} at={whileFetched(at, isPlaceholderData)} />
  if (error === null) return <LoadingPage />
  const retry = () => void refetch()
  return at.isPast ? (
    <NothingThen slug={slug} title={slug} error={error} retry={retry} {...at} />
  ) : (
    <NotThere slug={slug} error={error} retry={retry} />
  )
}

function Formula({ page, at }: { readonly page: AgreementView; readonly at: CutAddress }) {
  const { slug: ws, canEdit } = useWorkspace()
  const { agreement, description, entries, blocked, warnings } = page
  const { slug, name, trouble } = agreement
  const params = { ws, slug }
  return (
    <>
      <PageHead
        title={name}
        crumbs={[{ label: 'Agreements', to: '/w/$ws/agreements', params: { ws } }]}
        under={description === '' ? undefined : description}
        actions={
          <>
            <CopyAsCurl path={`/pams/${slug}/values${cutQuery(at.cut)}`} />
            <LinkButton size="xs" to="/w/$ws/agreements/$slug/ledger" params={params}>
              Ledger
            </LinkButton>
            <LinkButton size="xs" to="/w/$ws/agreements/$slug/compare" params={params}>
              Compare readings
            </LinkButton>
            <LinkButton size="xs" to="/w/$ws/agreements/$slug/versions" params={params}>
              Versions
            </LinkButton>
            {canEdit && !at.isPast && (
              <LinkButton size="xs" variant="filled" to="/w/$ws/agreements/$slug/edit" params={params}>
                Edit
              </LinkButton>
            )}
          </>
        }
      />
      <PastNote cut={at.cut} change={at.change} />
      <SupplierTime asSupplier={agreement.asSupplier} />
      <Facts facts={settledFacts(page, { ws, cut: at.cut })} />
      {trouble !== null && (
        <p className={classes.trouble}>
          <State kind="trouble">{trouble}</State>
        </p>
      )}
      <Blocked blocked={blocked} />
      {entries.length === 0 ? <NothingYet page={page} /> : <Course page={page} />}
      <AsItStood slug={slug} asked={at.asked} change={at.change} />
      <Agreed page={page} />
      {entries.length > 0 && (
        <Section
          title="Periods"
          actions={
            <>
              <EvidenceButton page={page} />
              <ExportMenu fileName={`${slug}-periods`} sheet={() => periodSheet(page)} />
            </>
          }
        >
          <Periods page={page} cut={at.cut} />
        </Section>
      )}
      {!at.isPast && <Prices slug={slug} />}
      <Advice warnings={warnings} />
    </>
  )
}

function Blocked({ blocked }: { readonly blocked: AgreementView['blocked'] }) {
  if (blocked.length === 0) return null
  return (
    <Section title="Cannot be computed">
      <dl className={classes.blocked}>
        {blocked.map(({ period, reason }) => (
          <div key={period}>
            <dt>
              <State kind="trouble">{period}</State>
            </dt>
            <dd>{reason}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function NothingYet({ page: { agreement, contract, blocked } }: { readonly page: AgreementView }) {
  if (blocked.length > 0 || agreement.trouble !== null) return null
  return (
    <Empty title="Nothing is computed yet">
      The contract starts on {formatDate(contract.start)}
      {agreement.nextDate === null ? '' : `; the first adjustment is due on ${formatDate(agreement.nextDate)}`}. Every
      period appears here as soon as it has a number.
    </Empty>
  )
}

function Course({ page: { agreement, entries, contract } }: { readonly page: AgreementView }) {
  const { price } = agreement
  const [search, change] = useAddress()
  const shown: ShownFigure = price === null || search.show === 'factor' ? 'factor' : 'price'
  const today = new Date().toISOString().slice(0, 10)
  const isLater = agreement.asSupplier !== null && agreement.asSupplier.since !== null
  const option = useMemo(
    () => priceChart({ entries, settled: agreement.settled, price, contract, isLater, shown, today }),
    [entries, agreement.settled, price, contract, isLater, shown, today],
  )
  const label = shown === 'price' ? 'The price over time' : 'The price factor over time'
  return (
    <Section
      title={label}
      actions={
        price !== null && (
          <SegmentedControl
            size="xs"
            aria-label="What the chart shows"
            data={[
              { value: 'price', label: `Price in ${price.currency}` },
              { value: 'factor', label: 'Factor' },
            ]}
            value={shown}
            onChange={value => change({ show: value === 'factor' ? value : undefined })}
          />
        )
      }
    >
      <Chart option={option} height={280} label={`${label}, as in the table of periods below`} />
      <p className={classes.legend}>{legendOf(entries, shown).join(' ')}</p>
    </Section>
  )
}

function legendOf(entries: AgreementView['entries'], shown: ShownFigure): string[] {
  return [
    'Line: settled.',
    ...(entries.some(({ isSigned }) => !isSigned) ? ['Dashed: proposed, not signed.'] : []),
    ...(entries.some(({ settled }) => settled?.correction != null)
      ? ['Circle: as it was signed, before a correction.']
      : []),
    ...(shown === 'price' && entries.some(isOtherToday) ? ['Diamond: with today’s figures.'] : []),
  ]
}

/** Questions of a careful reader, in words; the document's keys are only for the editor. */
function Advice({ warnings }: { readonly warnings: AgreementView['warnings'] }) {
  if (warnings.length === 0) return null
  return (
    <Section title="Advice">
      <ul className={classes.list}>
        {warnings.map(warning => (
          <li key={`${warning.path} ${warning.message}`}>{formatAdvice(warning)}</li>
        ))}
      </ul>
    </Section>
  )
}
