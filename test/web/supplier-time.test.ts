// What a supplier of an agreement that had others reads at the top of its pages.
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

interface Props {
  readonly asSupplier: { readonly since: string | null; readonly until: string | null } | null
}

/** From a page, whose elements the types of tests do not know. */
const file = new URL('../../web/components/agreements/supplier-time.tsx', import.meta.url).href
const { SupplierTime } = (await import(file)) as { readonly SupplierTime: FunctionComponent<Props> }

test.each([
  [null, null, 'You are the supplier again.'],
  ['2025-03-01', null, 'You are the supplier since 1 Mar 2025.'],
  [null, '2026-04-01', 'You were the supplier until 1 Apr 2026.'],
  ['2025-03-01', '2026-04-01', ', from 1 Mar 2025 on'],
])('from %s to %s', (since, until, words) => {
  expect(renderToStaticMarkup(createElement(SupplierTime, { asSupplier: { since, until } }))).toContain(words)
})

test('whoever sees all of it reads nothing', () => {
  expect(renderToStaticMarkup(createElement(SupplierTime, { asSupplier: null }))).toBe('')
})
