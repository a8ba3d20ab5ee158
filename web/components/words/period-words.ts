// Periods as a page writes them: days as dates, everything else by its label.
import { formatDate } from '../../../src/core/text/words.ts'

/** `2024-03-15` → `15 Mar 2024`; `2024-03`, `2024-Q1`, `2024-W05` stay. */
export function formatLabel(label: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(label) ? formatDate(label) : label
}
