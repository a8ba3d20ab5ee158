// Order of sending. Each endpoint has few places, each workspace a few more, and there is a bound for all: a receiver that takes
// its time holds its own places and nobody else's. Each of several processes claims its deliveries.
import { type ClaimedDelivery, claimDeliveries, type DueWebhook, listDue } from '../storage/webhooks/deliveries.ts'
import { findSending, type SendingWebhook } from '../storage/webhooks/webhooks.ts'
import { sendOne } from './delivery.ts'
import { type DeliveryParts, later } from './delivery-parts.ts'
import { webhookLimits } from './webhook-limits.ts'

export class Dispatch {
  readonly #parts: DeliveryParts
  readonly #underWay = new Set<Promise<void>>()
  readonly #byWorkspace = new Map<string, number>()
  readonly #byWebhook = new Map<string, number>()
  readonly #ending = new AbortController()

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  /** Begins every due delivery that has a place, and returns their number. It waits for no receiver; `settled` does. */
  async begin(signal: AbortSignal): Promise<number> {
    let begun = 0
    for (const due of await listDue(this.#parts.sql, this.#parts.now())) {
      if (signal.aborted || this.#underWay.size >= webhookLimits.atOnce.all) break
      begun += await this.#beginOne(due)
    }
    return begun
  }

  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  /** Gives back deliveries that have no answer after a moment: the next process sends them again. */
  async end(patienceMs: number = webhookLimits.stopMs): Promise<void> {
    const patience = setTimeout(() => this.#ending.abort(), patienceMs)
    await this.settled()
    clearTimeout(patience)
  }

  async #beginOne(due: DueWebhook): Promise<number> {
    const { sql } = this.#parts
    const most = this.#placesFor(due)
    if (most <= 0) return 0
    const webhook = await findSending(this.#parts, due.workspaceId, due.webhookId)
    if (webhook === null) return 0
    const now = this.#parts.now()
    const until = later(now, webhookLimits.claimMs)
    const claimed = await claimDeliveries(sql, due, { now, until, most })
    for (const delivery of claimed) this.#send(due, webhook, delivery)
    return claimed.length
  }

  #placesFor({ workspaceId, webhookId, isFailing }: DueWebhook): number {
    const { all, workspace, endpoint, failing } = webhookLimits.atOnce
    return Math.min(
      all - this.#underWay.size,
      workspace - (this.#byWorkspace.get(workspaceId) ?? 0),
      (isFailing ? failing : endpoint) - (this.#byWebhook.get(webhookId) ?? 0),
    )
  }

  #send(due: DueWebhook, webhook: SendingWebhook, delivery: ClaimedDelivery): void {
    const { workspaceId, webhookId } = due
    count(this.#byWorkspace, workspaceId, 1)
    count(this.#byWebhook, webhookId, 1)
    const sending = sendOne(this.#parts, { name: due, webhook, delivery, ending: this.#ending.signal })
      .catch(error => {
        // The claim ends by itself, and the delivery is sent again then.
        const reason = error instanceof Error ? error.message : String(error)
        this.#parts.log.warn({ webhook: webhookId, event: delivery.id, reason }, 'a delivery could not be written down')
      })
      .finally(() => {
        count(this.#byWorkspace, workspaceId, -1)
        count(this.#byWebhook, webhookId, -1)
        this.#underWay.delete(sending)
      })
    this.#underWay.add(sending)
  }
}

function count(counts: Map<string, number>, key: string, by: number): void {
  const next = (counts.get(key) ?? 0) + by
  if (next === 0) counts.delete(key)
  else counts.set(key, next)
}
