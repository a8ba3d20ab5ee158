// The events of webhooks: the kinds of changes in the log, and states that begin without a log entry. A receiver learns that
// something happened and where to read it, never a figure.

/** Words for people by the kind of the change. */
export const changeEvents = {
  observations: 'figures of a series were published',
  metadata: 'a series got another name, or a clock was repaired',
  calendar: 'a release that agreements wait for was announced or moved',
  'index-event': 'a change of an index that agreements read became known',
  follow: 'a series was followed',
  formula: 'an agreement got a new version of its formula',
  status: 'an agreement changed its status',
  signoff: 'one side signed a period',
  agreed: 'both sides have signed a period',
  objection: 'a side objected, answered or withdrew',
  'price-list': 'a price list was applied',
  invoice: 'invoice lines were kept or reversed',
  quantity: 'quantities were declared',
  correction: 'a correction was proposed, signed or refused',
  note: 'a credit or debit note was recorded',
  waiver: 'a correction was waived',
  splice: 'a splice of an index was proposed, signed or refused',
  amendment: 'an amendment was proposed, signed or refused',
} as const

/** Events without a log entry. */
export const stateEvents = {
  'adjustment.computable': 'a period of an agreement can be computed',
  'release.late': 'a figure that agreements wait for is late, or will not come',
  'series.quarantined': 'an answer about a series waits for a decision',
  'key.expiring': 'an API key ends within 14 days',
} as const

export type ChangeEvent = keyof typeof changeEvents
export type StateEvent = keyof typeof stateEvents
export type WebhookEvent = ChangeEvent | StateEvent

export const webhookEventWords: Readonly<Record<WebhookEvent, string>> = { ...changeEvents, ...stateEvents }
export const webhookEvents = Object.keys(webhookEventWords) as readonly WebhookEvent[]

export function isWebhookEvent(text: string): text is WebhookEvent {
  return Object.hasOwn(webhookEventWords, text)
}

/** The reason why a webhook is disabled. */
export type DisabledWhy = 'PERSON' | 'GONE' | 'FAILING' | 'LEFT' | 'RESTORE'

export const disabledWords: Readonly<Record<DisabledWhy, string>> = {
  PERSON: 'disabled',
  GONE: 'disabled: its receiver answered 410 Gone',
  FAILING: 'disabled: nothing was delivered for 5 days',
  LEFT: 'disabled: the person who made it left',
  RESTORE: 'disabled: with all access, after a restore',
}
