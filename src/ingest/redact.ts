// Takes keys out of everything that is kept, logged or said: addresses, bodies, messages. By the very key that was sent,
// in each form it may come back in, and by the places where providers are known to put one.
import { blankKeys } from '../providers/formats/problem.ts'
import type { Provider } from '../providers/provider.ts'

export const blank = '***'

/** Shorter texts than this are no keys of any provider, and blanking them everywhere would tear the data. */
const shortestSecret = 4

export type Redact = (text: string) => string

export function redactor(secrets: readonly string[]): Redact {
  const forms = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue
    forms.add(secret)
    forms.add(encodeURIComponent(secret))
    forms.add(encodeURIComponent(secret).replaceAll('%20', '+'))
    forms.add(JSON.stringify(secret).slice(1, -1))
    forms.add(secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'))
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length)
  return text => longestFirst.reduce(replaceAnyCase, text)
}

const longestMessage = 300

/** For sentences: one line that any log or data base takes; a provider may repeat a key that is not ours to know. */
export function redactMessage(message: string, redact: Redact): string {
  const line = oneLine(blankKeys(redact(message)))
  return line.length > longestMessage ? `${line.slice(0, longestMessage - 1)}…` : line
}

/** What a provider says may hold anything: bytes that were no text, line ends, half characters. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
}

/** Some services echo a key in other letters. */
function replaceAnyCase(text: string, form: string): string {
  return text.replace(new RegExp(form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi'), blank)
}

/** As it is kept: without keys, and without what its provider says is nobody's business. */
export function redactBody(body: string, { withoutPersons }: Pick<Provider, 'withoutPersons'>, redact: Redact): string {
  const kept = redact(body)
  return withoutPersons === undefined ? kept : withoutPersons(kept)
}
