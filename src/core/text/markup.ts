// Text inside HTML, as people read it: invisible signs are written as escapes.
import { visibleLines } from './foreign-text.ts'

export function escapeHtml(text: string): string {
  return visibleLines(text).replaceAll(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}
