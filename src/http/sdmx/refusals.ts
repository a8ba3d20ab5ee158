// Refusals in the client's form: an error message of SDMX in XML or JSON.

import { formatErrorJson, formatErrorXml } from '../../formats/sdmx/error-message.ts'
import { type Answer, bytesOf, typedAnswer } from '../frame/answer.ts'
import { prefersXml } from './negotiation.ts'

export function tellRefusal(
  refusal: Answer,
  accept: string,
  { id, now }: { readonly id: string; readonly now: string },
): Answer {
  const { error } = JSON.parse(bytesOf(refusal).toString()) as { readonly error: string }
  const { status, headers } = refusal
  if (prefersXml(accept)) {
    const isNew = /\+xml[^,]*version=3/i.test(accept)
    return typedAnswer('application/xml', formatErrorXml(status, error, isNew ? '3.0' : '2.1'), { status, headers })
  }
  const message = formatErrorJson(status, error, id.replace(/[^A-Za-z0-9_@$-]/g, '-'), now)
  return typedAnswer('application/json', message, { status, headers })
}
