// Lists of formulas and of sign-offs as tables for a file: real dates, real numbers, and a description at the top.
import type { FormulaRow, WaitingRow } from '../../../src/views/shapes/agreements.ts'
import type { Cell, Sheet } from '../table/save-file.ts'
import { writeSide } from '../words/side-words.ts'
import { countOf, writeDay, writeFrequency, writeParties } from '../words/words.ts'
import { writeStatus } from './sign-state.tsx'

const figure = (text: string | null | undefined): Cell => (text == null ? null : { figure: text })
const day = (text: string | null | undefined): Cell => (text == null ? null : { day: text.slice(0, 10) })

function titleOf(what: string, workspace: string, count: string): readonly string[] {
  return [`${what}, ${workspace}`, `${count}, as of ${writeDay(new Date().toISOString())}`]
}

export function formulaSheet(rows: readonly FormulaRow[], workspace: string): Sheet {
  return {
    name: 'Formulas',
    title: titleOf('Formulas', workspace, countOf(rows.length, 'formula')),
    head: [
      ...['formula', 'slug', 'supplier', 'status', 'adjusted', 'last period', 'adjustment date', 'adjustment %'],
      ...['since start %', 'price', 'currency', 'unit', 'next date', 'not signed', 'waits for', 'trouble'],
    ],
    rows: rows.map(({ last, price, ...row }) => [
      row.name,
      row.slug,
      writeSide(row.supplier),
      writeStatus(row.status),
      writeFrequency(row.frequency),
      last?.period ?? null,
      day(last?.adjustmentDate),
      figure(last?.adjustmentPct),
      figure(last?.cumulativePct),
      figure(last?.price ?? price?.amount),
      price?.currency ?? null,
      price?.unit ?? null,
      day(row.nextDate),
      figure(row.unsigned.toString()),
      row.waitsFor.length === 0 ? null : writeParties(row.waitsFor),
      row.trouble ?? row.blocked?.reason ?? null,
    ]),
  }
}

export function waitingSheet(rows: readonly WaitingRow[], workspace: string): Sheet {
  return {
    name: 'Sign-offs',
    title: titleOf('Waits for a signature', workspace, countOf(rows.length, 'adjustment')),
    head: [
      ...['formula', 'slug', 'supplier', 'period', 'adjustment date', 'adjustment %', 'since start %'],
      ...['price before', 'price', 'currency', 'buyer signed', 'supplier signed', 'waits for', 'hash'],
    ],
    rows: rows.map(({ entry, ...row }) => [
      row.name,
      row.slug,
      writeSide(row.supplier),
      entry.period,
      day(entry.adjustmentDate),
      figure(entry.adjustmentPct),
      figure(entry.cumulativePct),
      figure(row.priceBefore),
      figure(entry.price),
      row.currency,
      day(entry.signatures.buyer?.signedAt),
      day(entry.signatures.supplier?.signedAt),
      writeParties(row.waitsFor),
      entry.hash,
    ]),
  }
}
