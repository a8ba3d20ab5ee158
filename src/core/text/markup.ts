// Text inside HTML, as people read it: no sign that nobody sees is in it as it came.
import { visibleLines } from './foreign-text.ts'

export function escapeHtml(text: string): string {
  return visibleLines(text).replaceAll(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}
