// HTML of the little Markdown that the descriptions use: paragraphs, lists, tables, fenced code, and code, emphasis and links
// inside a line. Everything else is text and is escaped, HTML included.
import { escapeHtml } from '../../core/text/markup.ts'

export function renderMarkdown(text: string): string {
  const blocks = text.match(/```[\s\S]*?\n```|[^\n]+(?:\n[^\n]+)*/g) ?? []
  return blocks.map(renderBlock).join('\n')
}

function renderBlock(block: string): string {
  const lines = block.trim().split('\n')
  if (lines[0]!.startsWith('```')) return renderCode(lines.slice(1, -1).join('\n'))
  if (lines[0]!.startsWith('|')) return renderTable(lines)
  if (lines.every(line => line.startsWith('- ')))
    return `<ul>${lines.map(line => `<li>${renderInline(line.slice(2))}</li>`).join('')}</ul>`
  return `<p>${renderInline(lines.join(' '))}</p>`
}

function renderCode(code: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`
}

function renderTable([head = '', , ...rows]: readonly string[]): string {
  const cells = (row: string) => row.replace(/^\||\|$/g, '').split('|')
  const heads = cells(head).map(cell => `<th scope="col">${renderInline(cell.trim())}</th>`)
  const body = rows.map(row => {
    const columns = cells(row).map(cell => `<td>${renderInline(cell.trim())}</td>`)
    return `<tr>${columns.join('')}</tr>`
  })
  return `<div class="scroll"><table><thead><tr>${heads.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

const inline = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\((#[\w-]+|\/[\w./-]*)\)/g

export function renderInline(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(inline)) {
    const [whole, code, strong, emphasis, label, target] = match
    html += escapeHtml(text.slice(end, match.index))
    if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`
    else if (strong !== undefined) html += `<strong>${escapeHtml(strong)}</strong>`
    else if (emphasis !== undefined) html += `<em>${escapeHtml(emphasis)}</em>`
    else html += `<a href="${escapeHtml(target!)}">${escapeHtml(label!)}</a>`
    end = match.index + whole.length
  }
  return html + escapeHtml(text.slice(end))
}
