// `webhook disable` and `webhook enable`: nothing is sent in between. Doing it again is no error.
import { disableWebhook, enableWebhook } from '../../storage/webhooks/webhooks.ts'
import { choiceOption } from '../frame/command.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { stateWords, webhookCommand } from './webhook-command.ts'

export const webhookDisableCommand = webhookCommand({
  name: 'webhook disable',
  usage: '<id>',
  summary: 'Disables a webhook. Later events are delivered when it is enabled again.',
  options: { as: actorSpec },
  async work({ name: { workspaceId, webhookId }, webhooks, invocation }) {
    const by = { who: actorOf(invocation), fromAddress: null }
    const webhook = await disableWebhook(webhooks, workspaceId, webhookId, by)
    return { json: webhook, words: `${webhookId}: ${stateWords(webhook)}\n` }
  },
})

export const webhookEnableCommand = webhookCommand({
  name: 'webhook enable',
  usage: '<id> [--from now]',
  summary: 'Enables a webhook, from where it stopped or from now on.',
  options: {
    from: {
      type: 'string',
      value: 'F',
      help: 'stopped (default): everything since then is delivered; now: nothing of it',
    },
    as: actorSpec,
  },
  async work({ name: { workspaceId, webhookId }, webhooks, invocation }) {
    const from = choiceOption(invocation, 'from', ['stopped', 'now'] as const) ?? 'stopped'
    const by = { who: actorOf(invocation), fromAddress: null }
    const webhook = await enableWebhook(webhooks, workspaceId, webhookId, { from, by })
    return { json: webhook, words: `${webhookId}: ${stateWords(webhook)}\n` }
  },
})
