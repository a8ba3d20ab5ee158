// Removes keys from everything that is stored, logged or shown: addresses, bodies, messages. It looks for the key that was
// sent, in every form in which it may come back, and in the places where providers are known to repeat one.
import { blankKeys } from '../providers/formats/problem.ts'
import type { Provider } from '../providers/provider.ts'

const blank = '***'

/** No provider's key is shorter; blanking shorter texts everywhere would damage the data. */
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

/** Redacts a message to one line that any log or database accepts. A provider may also repeat a key that is not ours. */
export function redactMessage(message: string, redact: Redact): string {
  const line = oneLine(blankKeys(redact(message)))
  return line.length > longestMessage ? `${line.slice(0, longestMessage - 1)}…` : line
}

/** A provider's text may contain anything: binary bytes, line breaks, half characters. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
}

/** Replaces a key in any case, because some services repeat it in another. */
function replaceAnyCase(text: string, form: string): string {
  return text.replace(new RegExp(form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi'), blank)
}

/** Body as stored: without keys and without personal data. */
export function redactBody(body: string, { withoutPersons }: Pick<Provider, 'withoutPersons'>, redact: Redact): string {
  const kept = redact(body)
  return withoutPersons === undefined ? kept : withoutPersons(kept)
}
