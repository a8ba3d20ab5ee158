// A printed page as one HTML file without script: equal sheets give equal bytes.
import { escapeXml } from '../xml-text.ts'
import type { PrintedSheet, PrintedTable } from './printed-sheet.ts'

const style = `body{font:14px/1.45 system-ui,sans-serif;color:#1b1f2a;background:#fff;max-width:860px;margin:32px auto;padding:0 24px}
h1{font-size:24px;margin:0}h2{font-size:15px;margin:28px 0 8px}p{margin:2px 0}.soft{color:#565d6d}
.sides{display:flex;gap:48px;margin:24px 0}.sides>div,.signs>div{flex:1}.sides h2,.signs h2{margin:0 0 4px;color:#565d6d;font-size:12.5px;font-weight:600}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 18px;margin:16px 0}dt{color:#565d6d}dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:5px 14px 5px 0;border-bottom:1px solid #dfe2e8;overflow-wrap:anywhere}th{font-weight:600;color:#565d6d}
.n{text-align:right;white-space:nowrap}tr>:last-child{padding-right:0}
.totals{width:auto;margin:8px 0 0 auto}.totals td{border:0;padding:3px 0 3px 28px}.totals tr:last-child td{font-weight:600;font-size:16px;border-top:1px solid #1b1f2a}
.signs{display:flex;gap:48px;margin:24px 0}.signs .name{border-bottom:1px solid #1b1f2a;min-height:28px;padding-top:14px}
@media print{body{margin:0;padding:0;font-size:11px}h2{break-after:avoid}tr{break-inside:avoid}.signs,.totals{break-inside:avoid}}`

export function printedHtml(sheet: PrintedSheet): string {
  const { title, under, language } = sheet
  return [
    `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title>${escapeXml(title)}</title><style>${style}</style></head><body>`,
    `<h1>${escapeXml(title)}</h1>`,
    ...(under === null ? [] : [`<p class="soft">${escapeXml(under)}</p>`]),
    ...(sheet.sides.length === 0
      ? []
      : [`<div class="sides">${sheet.sides.map(({ label, lines }) => block(label, lines)).join('')}</div>`]),
    facts(sheet.facts),
    ...sheet.tables.map(table),
    ...(sheet.totals.length === 0 ? [] : [totals(sheet.totals)]),
    facts(sheet.remarks),
    ...(sheet.signatures.length === 0 ? [] : [signatures(sheet.signatures)]),
    '</body></html>\n',
  ]
    .filter(part => part !== '')
    .join('\n')
}

function block(label: string, lines: readonly string[]): string {
  return `<div><h2>${escapeXml(label)}</h2>${lines.map(line => `<p>${escapeXml(line)}</p>`).join('')}</div>`
}

function facts(list: PrintedSheet['facts']): string {
  if (list.length === 0) return ''
  return `<dl>${list.map(({ label, value }) => `<dt>${escapeXml(label)}</dt><dd>${escapeXml(value)}</dd>`).join('')}</dl>`
}

function table({ title, columns, rows }: PrintedTable): string {
  const cell = (name: 'th' | 'td', text: string, i: number) =>
    `<${name}${columns[i]!.isRight === true ? ' class="n"' : ''}>${escapeXml(text)}</${name}>`
  const head = columns.map((column, i) => cell('th', column.head, i)).join('')
  const body = rows.map(row => `<tr>${row.map((text, i) => cell('td', text, i)).join('')}</tr>`).join('')
  const titled = title === null ? '' : `<h2>${escapeXml(title)}</h2>`
  return `${titled}<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
}

function totals(list: PrintedSheet['totals']): string {
  const rows = list.map(
    ({ label, value }) => `<tr><td>${escapeXml(label)}</td><td class="n">${escapeXml(value)}</td></tr>`,
  )
  return `<table class="totals"><tbody>${rows.join('')}</tbody></table>`
}

function signatures(list: PrintedSheet['signatures']): string {
  const sides = list.map(
    ({ label, name, words }) =>
      `<div><h2>${escapeXml(label)}</h2><p class="name">${escapeXml(name ?? '')}</p><p class="soft">${escapeXml(words)}</p></div>`,
  )
  return `<div class="signs">${sides.join('')}</div>`
}
