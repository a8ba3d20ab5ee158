// The complete examples of docs/FORMULA.md: a document, its figures, and the numbers printed beside them.
import { readFileSync } from 'node:fs'

export interface ReferenceExample {
  readonly slug: string
  readonly document: string
  readonly figures: string
  /** A line a period: label, percent, percent since the start, price. */
  readonly result: readonly string[]
}

export function referenceExamples(): readonly ReferenceExample[] {
  const text = readFileSync(new URL('../../../docs/FORMULA.md', import.meta.url), 'utf8')
  const pattern = /```yaml document\n(.*?)```\s+```csv figures\n(.*?)```\s+```text result\n[^\n]*\n(.*?)```/gs
  return [...text.matchAll(pattern)].map(([, document, figures, result]) => ({
    slug: /^slug: (\S+)$/m.exec(document!)![1]!,
    document: document!,
    figures: figures!,
    result: result!
      .trim()
      .split('\n')
      .map(line => line.trim().split(/\s+/).join(' ')),
  }))
}
