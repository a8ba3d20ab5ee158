// A price list, quantities or unit factors: each new, changed or removed row, and the button that imports them.
import { Anchor, Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { PriceListPlan, TableChange, TableResult } from '../../../src/views/shapes/imports.ts'
import { State } from '../../components/figures/figures.tsx'
import { LinkButton } from '../../components/page/links.tsx'
import { Section } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { countOf, formatCount, formatFigure, sentenceCase } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from '../series/series-upload/upload.module.css'
import type { StartImport } from './said.ts'

interface TableReadProps {
  readonly result: TableResult
  readonly start: StartImport
  readonly readOtherwise: ReactNode
}

export function TableRead({ result, start, readOtherwise }: TableReadProps) {
  const { slug } = useWorkspace()
  const { isDone, layout, list, counts, notes } = result
  const moved = counts.added + counts.changed + counts.removed
  const isSame = list === null ? moved === 0 : list.outcome === 'unchanged'
  const told = formatResult(result)
  // Names of agreements stay as they are.
  const verdict = list === null ? sentenceCase(told) : told
  return (
    <Section title={isDone ? (list?.proposal == null ? 'Imported' : 'Proposed') : 'Changes by this file'}>
      <p className={classes.verdict} aria-live="polite">
        {isDone ? <State kind="good">{verdict}</State> : verdict}
      </p>
      {list?.consent != null && <p>{consentWords[list.consent]}</p>}
      {notes.map(note => (
        <p key={note} className="soft">
          {sentenceCase(note)}
        </p>
      ))}
      <div className={classes.actions}>
        {!isDone && !isSame && (
          <Button onClick={() => start('import', { kind: result.kind, layout })}>{importWords(result)}</Button>
        )}
        {readOtherwise}
        {isDone && list?.proposal != null && (
          <LinkButton to="/w/$ws/index-changes/$id" params={{ ws: slug, id: list.proposal }} variant="filled">
            See the proposal
          </LinkButton>
        )}
        {isDone && list !== null && list.proposal === null && (
          <LinkButton to="/w/$ws/agreements/$slug" params={{ ws: slug, slug: list.agreement }} variant="filled">
            See the agreement
          </LinkButton>
        )}
      </div>
      <ChangedRows result={result} />
    </Section>
  )
}

const rowWords = { prices: 'price', quantities: 'quantity', units: 'factor', agreements: 'agreement' } as const
const manyWords = { prices: 'prices', quantities: 'quantities', units: 'factors', agreements: 'agreements' } as const

/** `steel-brackets, 2 items from start on: a new version; 1 new price, 1 changed, 3 unchanged.` */
function formatResult({ kind, counts, list }: TableResult): string {
  const { added, changed, removed, unchanged } = counts
  const parts = [
    ...(added === 0 ? [] : [countOf(added, `new ${rowWords[kind]}`, `new ${manyWords[kind]}`)]),
    ...(changed === 0 ? [] : [`${formatCount(changed)} changed`]),
    ...(removed === 0 ? [] : [`${formatCount(removed)} removed`]),
    ...(unchanged === 0 ? [] : [`${formatCount(unchanged)} unchanged`]),
  ]
  const rows = added + changed + removed === 0 ? 'everything is here already' : parts.join(', ')
  if (list === null) return `${rows}.`
  const { agreement, items, from, outcome } = list
  const version = listWords[outcome]
  return `${agreement}, ${countOf(items, 'item')} ${from === 'start' ? 'from the start' : `from ${from} on`}: ${version}; ${rows}.`
}

const listWords: Readonly<Record<PriceListPlan['outcome'], string>> = {
  created: 'its first price list',
  'new version': 'a new version',
  unchanged: 'unchanged',
  proposed: 'a proposal that both sides sign',
}

const consentWords: Readonly<Record<NonNullable<PriceListPlan['consent']>, string>> = {
  CONTRACT: 'The contract says that buyer and supplier both agree to other terms, and to price lists.',
  SIGNED_BY_ONE: 'One side has signed a period that this list would govern, so both have to agree to it.',
  FIRST_LIST:
    'This list begins before periods that both signed. Its new items get prices there once both have signed the list.',
}

function importWords({ kind, counts: { added, changed, removed }, list }: TableResult): string {
  if (list?.outcome === 'proposed') return 'Propose the price list'
  if (list !== null) return `Import ${list.outcome === 'created' ? 'the price list' : 'the new version'}`
  return `Import ${countOf(added + changed + removed, rowWords[kind], manyWords[kind])}`
}

const nameHeads = { prices: 'Item', quantities: 'Item', units: 'Unit', agreements: 'Agreement' } as const
const valueHeads = { prices: 'base price', quantities: 'quantity', units: 'factor', agreements: 'price' } as const

const firstShown = 100

function ChangedRows({ result }: { readonly result: TableResult }) {
  const [count, setCount] = useState(firstShown)
  const { changes, kind, counts, list } = result
  if (changes.length === 0) return null
  const all = counts.added + counts.changed + counts.removed
  const shown = changes.slice(0, count)
  const unit = list?.currency == null ? '' : ` ${list.currency}`
  const value = (text: string | null) => (text === null ? '' : kind === 'units' ? text : `${formatFigure(text)}${unit}`)
  const isAgreed = changes.every(({ now }) => now?.isAgreed !== false)
  return (
    <>
      <DataTable
        label="Changes by this file"
        rows={shown}
        keyOf={({ name, about }) => [name, ...about].join('\n')}
        columns={[
          { head: nameHeads[kind], isRowHead: true, cell: change => <Name change={change} kind={kind} /> },
          { head: `Old ${valueHeads[kind]}`, isRight: true, narrow: 'label', cell: ({ before }) => value(before) },
          {
            head: `New ${valueHeads[kind]}`,
            isRight: true,
            cell: ({ before, after }) =>
              after === null ? (
                <span className="soft">removed</span>
              ) : before === null ? (
                `${value(after)} (new)`
              ) : (
                value(after)
              ),
          },
          list?.period != null && {
            head: `${list.period}, ${isAgreed ? 'price' : 'proposed'} now`,
            key: 'now',
            isRight: true,
            narrow: 'label',
            cell: ({ now }) => value(now?.before ?? null),
          },
          list?.period != null && {
            head: 'With this list',
            isRight: true,
            narrow: 'label',
            cell: ({ now }) => value(now?.after ?? null),
          },
        ]}
      />
      {all > shown.length && (
        <p className="soft">
          And {formatCount(all - shown.length)} more.{' '}
          {shown.length < changes.length && (
            <Anchor component="button" type="button" inherit onClick={() => setCount(count * 4)}>
              Show more
            </Anchor>
          )}
        </p>
      )}
    </>
  )
}

function Name({ change: { name, about }, kind }: { readonly change: TableChange; readonly kind: TableResult['kind'] }) {
  if (kind === 'units') return `${name}, ${about.join(', ')}`
  return (
    <>
      {name} {about.length > 0 && <span className="soft">{about.join(', ')}</span>}
    </>
  )
}
