// Body of a delivery: that something happened, to which subject, and where to read it. Always under 2 kB and without a figure:
// the subject is read with a key, which decides what is seen.
import type { WebhookEvent } from '../core/people/webhook-events.ts'
import type { Instant } from '../core/time/instant.ts'
import type { KeyRing } from '../storage/keys/key-ring.ts'
import type { NewDelivery } from '../storage/webhooks/deliveries.ts'
import { webhookLimits } from './webhook-limits.ts'

export interface TellableEvent {
  readonly id: string
  readonly type: WebhookEvent
  readonly at: Instant
  readonly subject: string
  /** Periods; null for all of them, or very many. */
  readonly periods: readonly string[] | null
  /** The first agreement that it concerns, by slug. */
  readonly agreement: string | null
  /** Cursor of `/ext/v1/changes` before the change; null for an event that is no change. */
  readonly cursor: string | null
}

export interface BodyContext {
  /** The slug of the workspace. */
  readonly workspace: string
  readonly workspaceId: string
  /** `https://prices.example`. */
  readonly publicUrl: string
  readonly ring: KeyRing
}

export function deliveryOf(ground: BodyContext, event: TellableEvent): NewDelivery {
  const { id, type, subject } = event
  const body = formatBody(ground, event)
  return { id, type, subject, body, sealFor: webhookId => sealOf(ground, webhookId, { id, body }) }
}

function formatBody({ workspace, publicUrl }: BodyContext, event: TellableEvent): string {
  const { type, at, subject, cursor } = event
  const url = `${publicUrl}${pathOf(event, workspace)}`
  const periods = event.periods !== null && event.periods.length > webhookLimits.periods ? null : event.periods
  const write = (data: object) => JSON.stringify({ type, timestamp: at, data: { workspace, ...data, cursor } })
  const feed = `${publicUrl}${feedPath(cursor)}`
  // A name may be long, and longer still in an address.
  const forms = [
    { subject, periods, url },
    { subject, periods: null, url },
    { subject, periods: null, url: feed },
    { subject: null, periods: null, url: feed },
  ]
  return forms.map(write).find(text => Buffer.byteLength(text) < webhookLimits.bodyBytes)!
}

function feedPath(cursor: string | null): string {
  return cursor === null ? '/ext/v1/changes' : `/ext/v1/changes?cursor=${cursor}`
}

const part = encodeURIComponent

const ofAgreement = (path: string) => (event: TellableEvent) =>
  event.agreement === null ? null : path.replace('{agreementId}', part(event.agreement))

const ofSubject =
  (path: string) =>
  ({ subject }: TellableEvent) =>
    path.replace('{id}', part(subject))

const ofPeriods = (event: TellableEvent) => {
  const { agreement, periods } = event
  if (periods?.length !== 1) return ofAgreement('/v1/pams/{pamId}/values')(event)
  return agreement === null ? null : `/v1/pams/${part(agreement)}/adjustment?period=${part(periods[0]!)}`
}

/** Path of an invoice; a further slash could belong to the supplier or to the number, so there is no path. */
const ofInvoice = ({ subject }: TellableEvent) => {
  const parts = subject.split('/')
  return parts.length === 2 ? `/ext/v1/invoices/${parts.map(part).join('/')}` : null
}

/** Address of each kind of event in the API; an event without a known one is read in the list of changes. */
const paths: Partial<Record<WebhookEvent, (event: TellableEvent) => string | null>> = {
  observations: ofSubject('/v1/series/{id}/values'),
  follow: ofSubject('/v1/series/{id}/values'),
  'series.quarantined': ofSubject('/v1/series/{id}/values'),
  'release.late': ofSubject('/ext/v1/series/{id}/next'),
  'adjustment.computable': ofPeriods,
  signoff: ofPeriods,
  agreed: ofPeriods,
  objection: ofPeriods,
  formula: ofAgreement('/v1/pams/{pamId}'),
  status: ofAgreement('/v1/pams/{pamId}'),
  'price-list': ofAgreement('/ext/v1/pams/{pamId}/prices'),
  correction: ofSubject('/ext/v1/corrections/{id}'),
  waiver: ofSubject('/ext/v1/corrections/{id}'),
  note: ofSubject('/ext/v1/corrections/{id}'),
  splice: ofSubject('/ext/v1/splices/{id}'),
  amendment: ofSubject('/ext/v1/splices/{id}'),
  invoice: ofInvoice,
}

function pathOf(event: TellableEvent, workspace: string): string {
  // Keys are changed by people.
  if (event.type === 'key.expiring') return `/w/${part(workspace)}/settings/keys`
  return paths[event.type]?.(event) ?? feedPath(event.cursor)
}

type Sealed = Pick<NewDelivery, 'id' | 'body'>

function sealOf(
  { ring, workspaceId }: Pick<BodyContext, 'ring' | 'workspaceId'>,
  webhookId: string,
  sealed: Sealed,
): Buffer {
  return ring.mac('webhook bodies', textOf(workspaceId, webhookId, sealed))
}

function textOf(workspaceId: string, webhookId: string, { id, body }: Sealed): string {
  return JSON.stringify([workspaceId, webhookId, id, body])
}

/** Whether it was written here, for this webhook. */
export function isSealed(
  { ring, workspaceId }: Pick<BodyContext, 'ring' | 'workspaceId'>,
  webhookId: string,
  { seal, ...sealed }: Sealed & { readonly seal: Buffer },
): boolean {
  return ring.holds('webhook bodies', textOf(workspaceId, webhookId, sealed), seal)
}
