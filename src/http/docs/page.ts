// The page at /docs: the description as a readable page, one HTML text that needs only the fonts of the web interface. It is made
// once and loads nothing from other servers; its words about a route come from the OpenAPI document.

import { escapeHtml } from '../../core/text/markup.ts'
import type { ApiDescription, DescribedOperation, DescribedParameter, OpenApiDocument } from '../api/description.ts'
import type { ViewExample } from '../api/operation.ts'
import { exampleOrigin } from '../v1/guide.ts'
import { renderJson } from './example.ts'
import { listFields, nameType } from './fields.ts'
import { renderInline, renderMarkdown } from './markdown.ts'

/** An API and the document that was built from it. */
interface Described {
  readonly api: ApiDescription
  readonly document: OpenApiDocument
  /** Address of the document. */
  readonly address: string
}

interface PageParts {
  /** The page begins with the first. */
  readonly apis: readonly [Described, ...Described[]]
  readonly style: string
  readonly script: string
}

interface OperationEntry {
  readonly path: string
  readonly method: string
  readonly operation: DescribedOperation
}

const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='M8 1l7 7-7 7-7-7z' fill='%232a4b8d'/></svg>"

function entriesOf({ document }: Described): OperationEntry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
}

export function renderPage({ apis, style, script }: PageParts): string {
  const contents = apis.map(renderContents).join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Assize API v1</title>
<link rel="icon" href="${escapeHtml(icon)}">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<details class="menu"><summary><span class="mark" aria-hidden="true">◆</span> Assize API <span class="hint">Contents</span></summary><nav aria-label="Contents"><a class="back" href="/">← Back to Assize</a>${contents}</nav></details>
<div class="frame">
<nav class="side" aria-label="Contents"><a class="back" href="/">← Back to Assize</a><a class="brand" href="#content"><span class="mark" aria-hidden="true">◆</span> Assize API</a>${contents}</nav>
<main id="content">
<header>
<h1>Assize API <small>v1</small></h1>
<p class="lead">Index series and price adjustments for procurement, ERP and accounts-payable systems: read-only, exact to the published digit, and repeatable for any day in the past.</p>
<p class="facts"><code class="origin">${exampleOrigin}/v1</code> ${apis.map(renderDocumentLink).join(' ')}</p>
</header>
${apis.map(renderApi).join('\n')}
</main>
</div>
<script>${script}</script>
</body>
</html>
`
}

function renderDocumentLink({ address, api }: Described): string {
  return `<a href="${address}">OpenAPI 3.1 document of ${api.servers[0]!.url}</a>`
}

function renderApi(described: Described): string {
  const { api, document } = described
  const prefixes = api.servers.map(({ url }) => `<code>${url}</code>`).join(' or ')
  const entries = entriesOf(described)
  return `${api.guide.map(section => `<section id="${section.id}" class="guide"><h2>${anchor(section.id, section.title)}</h2>${renderMarkdown(section.text)}</section>`).join('\n')}
<section class="guide part"><h2>Reference</h2><p>All paths follow ${prefixes}. Requests name what the demo has; <code>$SERIES</code>, <code>$CORRECTION</code> and <code>$SPLICE</code> are ids from the answers of lists. The figures in the answers are invented; their arithmetic is real.</p></section>
${document.tags.map(tag => renderTag(tag, entries, described)).join('\n')}`
}

function anchor(id: string, title: string): string {
  return `<a href="#${id}">${escapeHtml(title)}</a>`
}

function renderContents(described: Described): string {
  const { tags } = described.document
  const { guide } = described.api
  const entries = entriesOf(described)
  const list = (title: string, items: readonly string[]) => `<h2>${title}</h2><ul>${items.join('')}</ul>`
  const sections = guide.map(({ id, title }) => `<li>${anchor(id, title)}</li>`)
  const groups = tags.map(({ name }) =>
    list(
      name,
      of(name, entries).map(
        ({ path, operation }) => `<li><a href="#${operation.operationId}"><code>${breakable(path)}</code></a></li>`,
      ),
    ),
  )
  const title = described.api.health === null ? described.api.servers[0]!.url : 'Guide'
  return [list(title, sections), ...groups].join('')
}

function of(tag: string, entries: readonly OperationEntry[]): readonly OperationEntry[] {
  return entries.filter(({ operation }) => operation.tags.includes(tag))
}

/** A path with possible line breaks before its slashes. */
function breakable(path: string): string {
  return escapeHtml(path).replace(/(?<=.)\//g, '<wbr>/')
}

function renderTag(
  tag: { readonly name: string; readonly description: string },
  entries: readonly OperationEntry[],
  described: Described,
): string {
  const sections = of(tag.name, entries).map(entry => renderOperation(entry, described))
  return `<h2 class="tag">${escapeHtml(tag.name)}<small>${escapeHtml(tag.description)}</small></h2>${sections.join('\n')}`
}

function renderOperation({ path, method, operation }: OperationEntry, { api, document }: Described): string {
  const { operationId, summary, description, parameters } = operation
  const { views } = path === api.health?.path ? api.health : api.operations[path]!
  const written = parameters.filter(parameter => 'name' in parameter)
  const fields = views.map(view => renderFields(view, document))
  return `<section id="${operationId}" class="operation">
<div class="words">
<h3>${anchor(operationId, summary)}</h3>
<p class="route"><b>${api.operations[path]?.body === undefined ? method : 'QUERY'}</b> <code>${breakable(path)}</code></p>
${renderMarkdown(description)}
${renderParameters(written)}
${fields.join('\n')}
</div>
<div class="sample">
${views.map(view => renderExample(api, path, written, view)).join('\n')}
</div>
</section>`
}

function renderParameters(parameters: readonly DescribedParameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, in: place, schema, description }) => {
    const where = place === 'path' ? 'in the path' : typeWords(schema)
    return `<div><dt><code>${escapeHtml(name)}</code><span>${escapeHtml(where)}</span></dt><dd>${renderInline(description)}</dd></div>`
  })
  return `<h4>Parameters</h4><dl class="parameters">${rows.join('')}</dl>`
}

/** Words for a type. A cut describes its values; a pattern means nothing to people. */
function typeWords(schema: DescribedParameter['schema']): string {
  return typeof schema.description === 'string' ? schema.description : nameType(schema)
}

function renderFields({ view, answer }: ViewExample, { components }: OpenApiDocument): string {
  const rows = listFields(components.schemas[answer]!, components.schemas).map(
    ({ path, type, description }) =>
      `<tr><td><code>${breakableField(path)}</code></td><td>${escapeHtml(type)}</td><td>${renderInline(description)}</td></tr>`,
  )
  const title = view === null ? 'Fields of the answer' : `Fields with <code>view=${escapeHtml(view)}</code>`
  return `<details class="fields"><summary>${title}</summary><div class="scroll"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></details>`
}

function breakableField(path: string): string {
  return escapeHtml(path).replace(/\./g, '<wbr>.')
}

/** Placeholders for ids, which differ in every installation; other names are those of the demo. */
const namesOfDemo: readonly (readonly [answered: RegExp, asked: string])[] = [
  [/\bser_\w+/, '$SERIES'],
  [/\bcor_\w+/, '$CORRECTION'],
  [/\bspl_\w+/, '$SPLICE'],
  [/\bperiod=2024-Q2\b/, 'period=2025-Q4'],
  [/\/invoices\/[^/]+\/\w+$/, '/invoices/ohio-forge/OF-25-1207'],
  [/\/ledger\?knownAt=[\d-]+$/, '/ledger'],
]

function ofDemo(address: string): string {
  return namesOfDemo.reduce((text, [answered, asked]) => text.replace(answered, asked), address)
}

function renderExample(
  { servers, health, examples, operations }: ApiDescription,
  path: string,
  parameters: readonly DescribedParameter[],
  { view, answer, query }: ViewExample,
): string {
  const filled = parameters.reduce(
    (text, { name, in: place, example }) => (place === 'path' ? text.replace(`{${name}}`, String(example)) : text),
    path,
  )
  const address = ofDemo(`${exampleOrigin}${servers[0]!.url}${filled}${query === '' ? '' : `?${query}`}`)
  const key = path === health?.path ? '' : ' -H "Authorization: Bearer $ASSIZE_KEY" \\\n '
  const [sent] = Object.entries(operations[path]?.body ?? {})
  const body =
    sent === undefined
      ? ''
      : ` -X QUERY -H 'Content-Type: ${sent[0]}' \\\n  -d '${escapeHtml(JSON.stringify(sent[1].example))}' \\\n `
  const caption = view === null ? 'Request' : `Request with view=${view}`
  return `<figure class="call"><figcaption>${caption}</figcaption><pre tabindex="0"><code>curl${key}${body} &quot;${escapeHtml(address)}&quot;</code></pre></figure>
<figure class="answer"><figcaption>Answer <span>200</span></figcaption>${renderJson(examples[answer])}</figure>`
}
