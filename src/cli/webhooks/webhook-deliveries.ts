// `webhook deliveries` and `webhook replay`: deliveries with their results, and sending them again under the same ids.
import { counted } from '../../core/text/counts.ts'
import { parseDayOrInstant } from '../../core/time/instant.ts'
import { type Delivery, listDeliveries, replayDeliveries } from '../../storage/webhooks/deliveries.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { toTheSecond } from '../frame/clock.ts'
import { choiceOption, Misuse, textOption } from '../frame/command.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { webhookCommand } from './webhook-command.ts'

export const webhookDeliveriesCommand = webhookCommand({
  name: 'webhook deliveries',
  usage: '<id> [--state waiting|delivered|failed]',
  summary: 'Lists the newest deliveries of a webhook with their outcomes.',
  options: { state: { type: 'string', value: 'S', help: 'only these: waiting, delivered or failed' } },
  async work({ name, webhooks, invocation }) {
    const state = choiceOption(invocation, 'state', ['waiting', 'delivered', 'failed'] as const)
    const which = state === null ? 'all' : (state.toUpperCase() as Delivery['outcome'])
    const deliveries = await listDeliveries(webhooks.sql, name, which)
    const rows = deliveries.map(each => [
      each.id,
      each.type,
      toTheSecond(each.madeAt),
      counted(each.attempts, 'attempt'),
      outcomeWords(each),
    ])
    const none = `${name.webhookId} has no ${state === null ? '' : `${state} `}deliveries\n`
    return { json: deliveries, words: rows.length === 0 ? none : alignRows(rows) }
  },
})

function outcomeWords({ outcome, status, trouble, dueAt }: Delivery): string {
  if (outcome === 'DELIVERED') return `delivered: ${status}`
  const why = trouble === null ? '' : `: ${trouble}`
  return outcome === 'FAILED' ? `failed${why}` : `waiting${why}, next ${toTheSecond(dueAt!)}`
}

export const webhookReplayCommand = webhookCommand({
  name: 'webhook replay',
  usage: '<id> --event E | --since T | --failed',
  summary: 'Sends deliveries of a webhook again, under the same ids.',
  options: {
    event: { type: 'string', value: 'E', help: 'the delivery of the event with this id' },
    since: { type: 'string', value: 'T', help: 'the deliveries made since a day or an instant' },
    failed: { type: 'boolean', help: 'only failed deliveries' },
    as: actorSpec,
  },
  async work({ name, webhooks, invocation }) {
    const id = textOption(invocation, 'event')
    const text = textOption(invocation, 'since')
    const since = text === null ? null : parseDayOrInstant(text)
    if (text !== null && since === null)
      throw new Misuse(`--since must be such as 2026-01-31 or 2026-01-31T12:00:00Z, got "${text}"`)
    const isFailedOnly = invocation.options.failed === true
    if (id === null && since === null && !isFailedOnly)
      throw new Misuse('name the deliveries to send again: --event E, --since T or --failed')
    const by = { who: actorOf(invocation), fromAddress: null }
    const replay = { id, since, isFailedOnly }
    const count = await replayDeliveries(webhooks.sql, name, replay, { now: webhooks.now(), by })
    return { json: { replayed: count }, words: `${counted(count, 'event')} to be sent again\n` }
  },
})
