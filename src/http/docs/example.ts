// Example answers as people read JSON: short things on one line, long ones spread out, with a little colour. No digit is changed.
import { escapeHtml } from '../../core/text/markup.ts'

/** Characters in the narrowest column next to text. */
const width = 60

/** Objects and lists that fit stay on one line. */
function formatJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const flat = formatFlat(value)
  if (flat.length + indent.length <= width) return flat
  const deeper = `${indent}  `
  if (Array.isArray(value)) return `[\n${value.map(item => deeper + formatJson(item, deeper)).join(',\n')}\n${indent}]`
  const lines = Object.entries(value).map(
    ([key, item]) => `${deeper}${JSON.stringify(key)}: ${formatJson(item, deeper)}`,
  )
  return `{\n${lines.join(',\n')}\n${indent}}`
}

function formatFlat(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatFlat).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${formatFlat(item)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

const token = /("(?:[^"\\]|\\.)*")(:)?|-?\d+(?:\.\d+)?|\btrue\b|\bfalse\b|\bnull\b/g

export function renderJson(value: unknown): string {
  const text = formatJson(value)
  let html = ''
  let end = 0
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon] = match
    html += escapeHtml(text.slice(end, match.index))
    const kind = colon !== undefined ? 'k' : quoted !== undefined ? 's' : 'n'
    html += `<span class="${kind}">${escapeHtml(quoted ?? whole)}</span>${colon ?? ''}`
    end = match.index + whole.length
  }
  return `<pre tabindex="0"><code>${html}${escapeHtml(text.slice(end))}</code></pre>`
}
