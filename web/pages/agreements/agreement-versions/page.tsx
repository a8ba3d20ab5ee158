// Formula versions of an agreement, newest first: the author of each, its changes, and its effect on every period.

import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { AgreementListRow } from '../../../../src/views/shapes/agreements.ts'
import type { AgreementPriceRows } from '../../../../src/views/shapes/invoices.ts'
import type { BillingView, VersionView } from '../../../../src/views/shapes/versions.ts'
import { WordsOfVersion } from '../../../components/agreements/contract-words.tsx'
import { DocumentChanges } from '../../../components/agreements/document-changes.tsx'
import { DocumentText } from '../../../components/agreements/document-text.tsx'
import { type EffectLine, effectLines } from '../../../components/agreements/effects.ts'
import { NotThere } from '../../../components/agreements/missing-agreement.tsx'
import { Origin } from '../../../components/agreements/origin.tsx'
import { useAgreement, useAgreementPrices, useVersions } from '../../../components/agreements/queries.ts'
import { CopyButton } from '../../../components/page/copy.tsx'
import { Facts } from '../../../components/page/facts.tsx'
import { LinkButton } from '../../../components/page/links.tsx'
import { LoadingRows, PageHead, Section, Trouble } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { formatMoneyChange, formatPrice } from '../../../components/words/price-words.ts'
import { countOf, formatInstant, formatSigned, shortenCut } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './versions.module.css'

export function AgreementVersionsPage() {
  const { slug: ws, canEdit } = useWorkspace()
  const { slug = '' } = useParams({ strict: false })
  const page = useAgreement(slug)
  const versions = useVersions(slug)
  if (page.error !== null) return <NotThere slug={slug} error={page.error} retry={() => void page.refetch()} />
  const name = page.data?.agreement.name ?? slug
  const price = page.data?.agreement.price ?? null
  return (
    <>
      <PageHead
        title="Versions"
        crumbs={[
          { label: 'Agreements', to: '/w/$ws/agreements', params: { ws } },
          { label: name, to: '/w/$ws/agreements/$slug', params: { ws, slug } },
        ]}
        under="Each version governs the adjustment dates from its own first day on. Numbers signed before stay as they are."
        actions={
          canEdit && (
            <LinkButton size="xs" variant="filled" to="/w/$ws/agreements/$slug/edit" params={{ ws, slug }}>
              Edit
            </LinkButton>
          )
        }
      />
      {versions.error !== null && <Trouble error={versions.error} retry={() => void versions.refetch()} />}
      {versions.data === undefined
        ? versions.error === null && <LoadingRows />
        : versions.data.map(version => <Version key={version.version} slug={slug} version={version} price={price} />)}
      <PriceLists slug={slug} />
    </>
  )
}

interface VersionProps {
  readonly slug: string
  readonly version: VersionView
  readonly price: AgreementListRow['price']
}

function Version({ slug, version, price }: VersionProps) {
  const {
    version: number,
    origin,
    createdBy,
    redacted,
    recordedAt,
    effectiveFrom,
    documentText,
    hasWords,
    isReworded,
    changes,
    effects,
    billing,
  } = version
  const lines = effectLines(effects)
  return (
    <Section title={`Version ${number.toString()}`} actions={<CopyButton text={documentText} label="Copy document" />}>
      <Facts
        isSmall
        facts={[
          { label: 'Written by', value: redacted === null ? createdBy : `${createdBy}, ${redacted}` },
          { label: 'Saved', value: formatInstant(recordedAt) },
          { label: 'Governs from', value: formatDate(effectiveFrom) },
        ]}
      />
      <Origin of="version" origin={origin} />
      {number === 1 ? (
        <p className="soft">The first version: there is nothing before it to compare with.</p>
      ) : (
        <>
          <h3 className={classes.part}>Changes of the document</h3>
          <DocumentChanges changes={changes} isReworded={isReworded} />
          {isReworded && <p>The contract’s own words differ from those of the version before.</p>}
          <h3 className={classes.part}>Effect on the periods</h3>
          <Effects lines={lines} price={price} />
        </>
      )}
      {hasWords && <Words slug={slug} version={number} />}
      {billing.map(each => (
        <BillingTerms key={each.version} billing={each} />
      ))}
      <details className={classes.details}>
        <summary>The document of version {number}</summary>
        <DocumentText text={documentText} label={`The document of version ${number.toString()}`} />
      </details>
    </Section>
  )
}

/** Words, asked for once they are opened: they may be long. */
function Words({ slug, version }: { readonly slug: string; readonly version: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={classes.details} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>The contract’s own words in version {version}</summary>
      {isOpen && <WordsOfVersion slug={slug} version={version} />}
    </details>
  )
}

function BillingTerms({ billing: { version, recordedAt, origin, terms } }: { readonly billing: BillingView }) {
  return (
    <section className={classes.list} aria-label={`Billing version ${version}`}>
      <h3 className={classes.part}>Billing version {version}</h3>
      <Facts
        isSmall
        facts={[
          { label: 'Saved', value: formatInstant(recordedAt) },
          ...(terms === null
            ? []
            : [
                { label: 'References', value: terms.references.join(', ') || 'none' },
                { label: 'Price date', value: terms.priceDate },
                { label: 'Prorate', value: terms.prorate },
              ]),
        ]}
      />
      <Origin of="billing" origin={origin} />
    </section>
  )
}

/** Price lists, newest first; nothing where there is none. */
function PriceLists({ slug }: { readonly slug: string }) {
  const { data, error, refetch } = useAgreementPrices(slug, undefined)
  if (data === undefined)
    return (
      <Section title="Price lists">
        {error === null ? <LoadingRows rows={2} /> : <Trouble error={error} retry={() => void refetch()} />}
      </Section>
    )
  return (
    data.lists.length > 0 && (
      <Section title="Price lists">
        {data.lists.map(list => (
          <ListHead key={list.version} list={list} />
        ))}
      </Section>
    )
  )
}

function ListHead({ list }: { readonly list: AgreementPriceRows['lists'][number] }) {
  const { version, from, recordedAt, origin, applied } = list
  return (
    <section className={classes.list} aria-label={`Price list ${version}`}>
      <h3 className={classes.part}>Price list {version}</h3>
      <Facts
        isSmall
        facts={[
          { label: 'Governs from', value: from === 'start' ? 'the start' : from },
          { label: 'Saved', value: formatInstant(recordedAt) },
          ...(applied === null
            ? []
            : [
                { label: 'Applied by', value: applied.by },
                { label: 'Items', value: applied.items },
              ]),
        ]}
      />
      <Origin of="list" origin={origin} />
    </section>
  )
}

function Effects({
  lines,
  price,
}: {
  readonly lines: readonly EffectLine[]
  readonly price: AgreementListRow['price']
}) {
  const [isWhole, setWhole] = useState(false)
  const changed = lines.filter(({ hasChanged }) => hasChanged)
  const shown = isWhole ? lines : changed
  if (lines.length === 0) return <p className="soft">No period can be computed under both versions yet.</p>
  return (
    <>
      <p className={classes.summary}>{summaryOf(lines, changed, price)}</p>
      {shown.length > 0 && <EffectTable lines={shown} price={price} />}
      {changed.length < lines.length && (
        <Button variant="default" size="xs" mt={8} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole
            ? 'Show only changed periods'
            : `Show ${countOf(lines.length - changed.length, 'period')} that ${lines.length - changed.length === 1 ? 'stays' : 'stay'} the same`}
        </Button>
      )}
    </>
  )
}

function summaryOf(
  lines: readonly EffectLine[],
  changed: readonly EffectLine[],
  price: AgreementListRow['price'],
): string {
  if (changed.length === 0) return `All ${countOf(lines.length, 'period')} keep their numbers.`
  const newest = changed.findLast(({ money }) => money !== null)
  const count = `${changed.length.toString()} of ${countOf(lines.length, 'period')} ${changed.length === 1 ? 'is' : 'are'} different.`
  if (newest === undefined) return count
  return `${count} In ${newest.period} the price is ${formatPrice(newest.priceAfter!, price)} instead of ${formatPrice(newest.priceBefore!, price)} (${formatMoneyChange(newest.money!, price?.currency)}).`
}

function EffectTable({
  lines,
  price,
}: {
  readonly lines: readonly EffectLine[]
  readonly price: AgreementListRow['price']
}) {
  const amount = (pick: (line: EffectLine) => string | null) => (line: EffectLine) =>
    shortenCut(pick(line) ?? '') || null
  const change = (pick: (line: EffectLine) => string | null) => (line: EffectLine) => {
    const text = amount(pick)(line)
    return text === null ? null : formatSigned(text)
  }
  return (
    <DataTable
      label="Effect on the periods"
      className={classes.effects}
      rows={lines}
      keyOf={({ period }) => period}
      rowProps={({ hasChanged }) => ({ 'data-same': !hasChanged })}
      columns={[
        { head: 'Period', cell: ({ period }) => period },
        {
          head: 'Before, %',
          figure: change(({ before }) => before),
          cell: ({ before }, text) => (before === null ? <NotComputed /> : text),
        },
        {
          head: 'After, %',
          figure: change(({ after }) => after),
          cell: ({ after }, text) => (after === null ? <NotComputed /> : text),
        },
        { head: 'Points', figure: change(({ points }) => points) },
        price !== null && { head: `Before, ${price.currency}`, figure: amount(({ priceBefore }) => priceBefore) },
        price !== null && { head: `After, ${price.currency}`, figure: amount(({ priceAfter }) => priceAfter) },
        price !== null && { head: `Difference, ${price.currency}`, figure: change(({ money }) => money) },
      ]}
    />
  )
}

function NotComputed() {
  return <span className="soft">no number</span>
}
