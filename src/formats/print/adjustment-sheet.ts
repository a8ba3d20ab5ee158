// An adjustment as a page to print in one language: the number, its parts, every line and every figure, and who signed. The
// settled number is reported; the calculation is the signed or proposed one.
import type { Language } from '../../core/billing/languages.ts'
import type { ShownStep, StepFromSettled } from '../../core/prices/shown-step.ts'
import { cutDecimals } from '../../core/text/words.ts'
import {
  formatPrintedChange,
  formatPrintedDate,
  formatPrintedFigure,
  formatPrintedMoment,
  formatPrintedMoney,
} from './print-figures.ts'
import type { PrintWords } from './print-shape.ts'
import { lineName, printWords } from './print-words.ts'
import type { PrintedSheet } from './printed-sheet.ts'

interface PrintedNumber {
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly price: string | null
}

type SignedSide = { readonly name: string; readonly signedAt: string } | null

interface PrintedAdjustment {
  readonly agreement: {
    readonly name: string
    readonly price: { readonly currency: string; readonly unit: string | null } | null
  }
  readonly entry: PrintedNumber & {
    readonly period: string
    readonly adjustmentDate: string
    readonly dataVersion: keyof PrintWords['versionTags']
    readonly formulaVersion: number
    readonly hash: string
    readonly signatures: { readonly buyer: SignedSide; readonly supplier: SignedSide }
    readonly step: ShownStep
    readonly ground: Pick<StepFromSettled, 'goesOnFrom'> | null
    readonly settled: (PrintedNumber & { readonly correction: { readonly id: string } | null }) | null
  }
  readonly sentence: string
  readonly components: readonly {
    readonly name: string
    readonly reference: string
    readonly weight: string
    readonly changePct: string
    readonly contribution: string
    readonly since: { readonly lastPct: string } | null
  }[]
  readonly controls: readonly { readonly control: string; readonly points: string }[]
  readonly steps: readonly {
    readonly name: string
    readonly words: string
    readonly value: string
    readonly shown: string | null
  }[]
  readonly observations: readonly {
    readonly name: string
    readonly reference: string
    readonly period: string
    readonly value: string
    readonly tag: keyof PrintWords['versionTags']
    readonly publishedAt: string
  }[]
  readonly cancelled: readonly {
    readonly series: { readonly name: string }
    readonly period: string
    readonly rule: keyof PrintWords['instead']
    readonly instead: string | null
  }[]
}

/** More decimals help nobody who reads on paper; the receipt has them all. */
const shownDecimals = 14

export function adjustmentSheet(page: PrintedAdjustment, language: Language): PrintedSheet {
  const { agreement, entry, sentence } = page
  const words = printWords[language]
  const { step } = entry
  const isOfPrices = step.priceBefore !== null && step.price !== null
  const number = entry.settled ?? entry
  const { correction = null } = entry.settled ?? {}
  const standing = entry.settled === null ? words.proposed : words.settled
  const pct = (text: string | null) => (text === null ? '–' : `${formatPrintedChange(text, language)}\u202f%`)
  const price = (text: string | null) => {
    if (text === null || agreement.price === null) return []
    const unit = agreement.price.unit ? `\u202f/\u202f${agreement.price.unit}` : ''
    return [`${formatPrintedMoney(cutDecimals(text, shownDecimals), agreement.price.currency, language)}${unit}`]
  }
  const labelled = (label: string, values: readonly string[]) => values.map(value => ({ label, value }))
  return {
    language,
    title: `${words.adjustment} ${entry.period}`,
    // The explanation is written in English alone: elsewhere the tables say it.
    under: language === 'en' ? sentence : null,
    sides: [],
    facts: [
      { label: words.agreement, value: agreement.name },
      { label: words.period, value: entry.period },
      { label: words.takesEffect, value: formatPrintedDate(entry.adjustmentDate, language) },
      { label: words.change, value: `${pct(number.adjustmentPct)}, ${standing}` },
      ...(correction === null ? [] : [{ label: '', value: words.corrected(correction.id) }]),
      { label: words.sinceStart, value: pct(number.cumulativePct) },
      ...labelled(words.priceBefore, price(step.priceBefore)),
      ...labelled(words.priceAfter, price(number.price)),
      ...labelled(words.priceChange, isOfPrices ? [pct(step.changePct)] : []),
      ...labelled(words.goesOnFrom, price(entry.ground?.goesOnFrom?.price ?? null)),
      { label: words.formulaVersion, value: `${entry.formulaVersion}` },
      { label: words.figuresAre, value: words.versionTags[entry.dataVersion] },
      ...page.cancelled.map(({ series, period, rule, instead }) => {
        const value = instead === null ? '' : `: ${formatPrintedFigure(instead, language)}`
        return { label: words.cancelledRelease, value: `${series.name}, ${period}: ${words.instead[rule]}${value}` }
      }),
    ],
    tables: [
      partsTable(page, words, language),
      linesTable(page, words, language),
      figuresTable(page, words, language),
    ].filter(({ rows }) => rows.length > 0),
    totals: [],
    remarks: [{ label: words.receipt, value: entry.hash }],
    signatures: (['buyer', 'supplier'] as const).map(side => {
      const signature = entry.signatures[side]
      return {
        label: side === 'buyer' ? words.forBuyer : words.forSupplier,
        name: signature?.name ?? null,
        words:
          signature === null
            ? `${words.notSigned}. ${words.nameAndDate}`
            : words.signedOn(formatPrintedMoment(signature.signedAt, language)),
      }
    }),
  }
}

type TableOf = (page: PrintedAdjustment, words: PrintWords, language: Language) => PrintedSheet['tables'][number]

const partsTable: TableOf = ({ components, controls }, words, language) => ({
  title: words.parts,
  columns: [
    { head: words.part },
    ...[words.weight, words.changePct, words.points].map(head => ({ head, isRight: true as const })),
  ],
  rows: [
    ...components.map(({ name, reference, weight, changePct, contribution, since }) => [
      `${name} (${reference})`,
      formatPrintedFigure(weight, language),
      formatPrintedChange(since?.lastPct ?? changePct, language),
      formatPrintedChange(contribution, language),
    ]),
    ...controls.map(({ control, points }) => [
      words.controls[control] ?? control,
      '',
      '',
      formatPrintedChange(points, language),
    ]),
  ],
})

const linesTable: TableOf = ({ steps }, words, language) => ({
  title: words.calculation,
  columns: [{ head: words.line }, { head: words.value, isRight: true }],
  rows: steps.map(({ name, words: said, value, shown }) => [
    lineName(words, name, !said.startsWith('the line ')),
    formatPrintedFigure(shown ?? cutDecimals(value, shownDecimals), language),
  ]),
})

const figuresTable: TableOf = ({ observations }, words, language) => ({
  title: words.figures,
  columns: [
    ...[words.series, words.period].map(head => ({ head })),
    { head: words.value, isRight: true },
    ...[words.version, words.published].map(head => ({ head })),
  ],
  rows: observations.map(({ name, reference, period, value, tag, publishedAt }) => [
    `${name} (${reference})`,
    period,
    formatPrintedFigure(value, language),
    words.versionTags[tag],
    formatPrintedDate(publishedAt, language),
  ]),
})
