import { expect, test } from 'vitest'
import { renderInline, renderMarkdown } from './markdown.ts'

test('renders paragraphs, lists, tables and code', () => {
  expect(renderMarkdown('One\nline.\n\n- a\n- `b`')).toBe(
    '<p>One line.</p>\n<ul><li>a</li><li><code>b</code></li></ul>',
  )
  expect(renderMarkdown('```sh\na\n\nb\n```')).toBe('<pre tabindex="0"><code>a\n\nb</code></pre>')
  expect(renderMarkdown('| A | B |\n|---|---|\n| 1 | *2* |')).toContain('<td>1</td><td><em>2</em></td>')
})

test('renders emphasis and links inside a line', () => {
  expect(renderInline('**a** [b](#c) [d](/docs)')).toBe('<strong>a</strong> <a href="#c">b</a> <a href="/docs">d</a>')
})

test('leaves HTML and links to elsewhere as the text they are', () => {
  const hostile = '<script>alert(1)</script> `<b>` [x](javascript:alert(1)) [y](https://elsewhere.test) "\''
  const html = renderMarkdown(hostile)
  expect(html.match(/<[a-z/]+/g)).toEqual(['<p', '<code', '</code', '</p'])
  expect(html).not.toContain('href')
})
