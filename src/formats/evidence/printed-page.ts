// One adjustment as a page to print, from its receipt alone: the number, why, every line with its numbers, every figure, and
// who signed. Plain HTML without script; equal receipts give equal bytes.

import { controlWords } from '../../core/formula/controls/controls.ts'
import { formatCarried } from '../../core/numbers/ratio.ts'
import { measureParts } from '../../core/receipt/display-base.ts'
import { formatLine } from '../../core/receipt/line-words.ts'
import { narrate } from '../../core/receipt/narrative.ts'
import { formatSubject } from '../../core/receipt/objection.ts'
import { formatSigner } from '../../core/receipt/party-signature.ts'
import { type WorkedReceipt, workReceipt } from '../../core/receipt/worked-steps.ts'
import { escapeHtml } from '../../core/text/markup.ts'
import { cutDecimals, formatDate, signed } from '../../core/text/words.ts'
import { formatSettled, type SettledPeriod } from './settled-periods.ts'
import { formatOrigin, hasOrigins, type NamedReceipt } from './tables.ts'

const style = `body{font:14px/1.45 system-ui,sans-serif;color:#1b1f2a;background:#fff;max-width:960px;margin:32px auto;padding:0 24px}
h1{font-size:22px;margin:0}h2{font-size:15px;margin:28px 0 8px}p{margin:6px 0;max-width:72ch}.soft{color:#565d6d}
.number{font-size:40px;font-weight:600;margin:14px 0 0;font-variant-numeric:tabular-nums}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:4px 14px 4px 0;border-bottom:1px solid #dfe2e8;overflow-wrap:anywhere}td:first-child{overflow-wrap:normal}ol{margin:8px 0;padding-left:20px;color:#565d6d;overflow-wrap:anywhere}th{font-weight:600;color:#565d6d}
td.n,th.n{text-align:right;white-space:nowrap}code{font:12.5px/1.45 ui-monospace,monospace;overflow-wrap:anywhere}
@media print{body{margin:0;padding:0;font-size:11px}h2{break-after:avoid}tr{break-inside:avoid}}`

/** More decimals help nobody who reads on paper; the receipt has them all. */
const shownDecimals = 14

/** `settled`: the settled numbers of the package's periods. */
export function printedPage({ name, receipt }: NamedReceipt, settled: readonly SettledPeriod[]): string {
  const { body, hash } = receipt
  const worked = workReceipt(body)
  const { result } = body
  const { currency = null } = worked.formula.contract.price ?? {}
  const title = `${body.name ?? worked.formula.name}, ${body.period}`
  const price = result.price === undefined ? '' : `, price ${result.price} ${currency ?? ''}`
  return [
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(title)}</title><style>${style}</style></head><body>`,
    `<h1>${escapeHtml(title)}</h1><p class="soft">Adjustment of ${body.adjustmentDate}, formula version ${body.formulaVersion}, figures ${result.dataVersion}</p>`,
    `<p class="number">${escapeHtml(formatPct(result.adjustmentPct))}</p>`,
    `<p>Since the start ${escapeHtml(formatPct(result.cumulativePct))}${escapeHtml(price)}</p>`,
    ...settledLine(name, settled, currency),
    `<p>${escapeHtml(narrate(worked))}</p>`,
    partsSection(receipt, worked),
    linesSection(worked),
    ...figuresSections(receipt),
    signaturesSection(receipt),
    objectionsSection(receipt, name => lineWords(worked, name)),
    `<h2>Receipt</h2><p><code>${hash}</code></p><p class="soft">receipts/${escapeHtml(name)}.json in the same package; verify.html computes it again.</p>`,
    '</body></html>\n',
  ].join('\n')
}

type Receipt = NamedReceipt['receipt']

function formatPct(decimal: string | null): string {
  return decimal === null ? 'no percentage' : `${signed(decimal)} %`
}

/** Stands under the number, because a signed number that was corrected is no longer settled. */
function settledLine(name: string, settled: readonly SettledPeriod[], currency: string | null): string[] {
  const own = settled.find(({ receipt }) => receipt === name)
  return own === undefined ? [] : [`<p><strong>${escapeHtml(formatSettled(own, currency, formatDate))}</strong></p>`]
}

/** Change and points of a part count from the same reading: a change since the base says nothing about points since then. */
function partsSection({ body: { series, result } }: Receipt, worked: WorkedReceipt): string {
  const names = new Map(series.map(each => [each.series, each.name ?? each.series]))
  const { since, lastApplied, isChained } = measureParts(worked)
  return section(
    'Where it comes from',
    ['Part', 'Series', '#Weight', '#Change', '#Points', 'Both since'],
    [
      ...result.components.map((each, i) => {
        const last = since[i] ?? null
        return [
          each.input,
          `${names.get(each.series) ?? each.series} (${each.series})`,
          each.weight,
          formatPct(last === null ? each.change : last.lastPct),
          signed(each.contribution),
          lastApplied !== null && (last !== null || isChained) ? lastApplied : 'the base',
        ]
      }),
      ...controlRows(result),
    ],
  )
}

function controlRows({ controls }: Receipt['body']['result']): string[][] {
  return controls.map(({ control, points }) => [controlWords[control] ?? control, '', '', '', signed(points), ''])
}

function linesSection({ lines }: ReturnType<typeof workReceipt>): string {
  return section(
    'The calculation, line by line',
    ['Line', 'Formula', 'With its numbers', '#Result'],
    lines.map(({ step, value, numbers, told }) => [
      step.name,
      step.expr,
      [numbers, ...told].join('; '),
      cutDecimals(formatCarried(value), shownDecimals),
    ]),
  )
}

/** The figures, with each origin once. */
function figuresSections({ body: { observations } }: Receipt): string[] {
  const origins = [...new Set(observations.map(({ origin }) => formatOrigin(origin)))]
  return [
    section(
      'The figures it was computed from',
      ['Input', 'Series', 'Period', '#Value', 'Version', 'Published', 'Recorded', '#Origin'],
      observations.map(each => [
        each.input,
        each.series,
        each.period,
        each.value,
        each.version,
        `${each.published === each.recorded ? 'first seen ' : ''}${readInstant(each.published)}`,
        each.recorded === null ? '' : readInstant(each.recorded),
        (origins.indexOf(formatOrigin(each.origin)) + 1).toString(),
      ]),
    ),
    `<ol>${origins.map(words => `<li>${escapeHtml(words)}</li>`).join('')}</ol>`,
  ]
}

function signaturesSection(receipt: Receipt): string {
  const { body, signatures } = receipt
  return section(
    'Signatures',
    ['Party', 'By', 'When', 'How', ...(hasOrigins(receipt) ? ['What is recorded about the signer'] : [])],
    signatures.map(each => [
      each.party,
      each.name === '' ? each.signedBy : `${each.name} (${each.signedBy})`,
      readInstant(each.signedAt),
      meansWords[each.means],
      ...(hasOrigins(receipt) ? [formatSigner(each, body.parties).join('; ')] : []),
    ]),
    'Nobody has signed this number.',
  )
}

function lineWords({ lines }: WorkedReceipt, name: string): string | undefined {
  const found = lines.find(({ step }) => step.name === name)
  return found === undefined ? undefined : formatLine(found.step)
}

function objectionsSection({ hash, objections = [] }: Receipt, words: (line: string) => string | undefined): string {
  return section(
    'Objections',
    ['Party', 'By', 'When', 'To what', 'Words'],
    objections.flatMap(({ answers, ...each }) => [
      [
        each.party,
        each.by,
        readInstant(each.at),
        `${formatSubject(each.about, words)}${each.hash === hash ? '' : ' of another number'}`,
        each.reason,
      ],
      ...answers.map(answer => [
        answer.party,
        answer.by,
        readInstant(answer.at),
        answer.kind === 'ANSWER' ? 'answer' : 'withdrawal',
        answer.words,
      ]),
    ]),
    'Nobody has objected to a number of this period.',
  )
}

const meansWords: Readonly<Record<Receipt['signatures'][number]['means'], string>> = {
  PASSKEY: 'by passkey',
  PROVIDER: 'by their identity provider',
  PASSWORD: 'by password',
  OPERATOR: 'by the operator, in their name',
}

/** `2024-04-11`, or `2024-04-11 12:30:05 UTC`; the receipt and the tables have it to the microsecond. */
function readInstant(instant: string): string {
  const [day = '', time = ''] = instant.split('T')
  return /^00:00:00(?:\.0+)?Z$|^$/.test(time) ? day : `${day} ${time.slice(0, 8)} UTC`
}

/** A `#` before a column's name sets it to the right. */
function section(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  empty = 'Nothing.',
): string {
  const kind = (column: number) => (columns[column]!.startsWith('#') ? ' class="n"' : '')
  const head = columns.map((each, i) => `<th${kind(i)}>${escapeHtml(each.replace('#', ''))}</th>`).join('')
  const lines = rows.map(
    row => `<tr>${row.map((cell, i) => `<td${kind(i)}>${escapeHtml(cell ?? '')}</td>`).join('')}</tr>`,
  )
  const content =
    rows.length === 0
      ? `<p class="soft">${escapeHtml(empty)}</p>`
      : `<table><thead><tr>${head}</tr></thead><tbody>\n${lines.join('\n')}\n</tbody></table>`
  return `<h2>${escapeHtml(title)}</h2>\n${content}`
}
