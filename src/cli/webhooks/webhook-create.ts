// `webhook create`: an address that gets the events of a workspace. The secret that signs is printed once.
import { webhookEvents } from '../../core/people/webhook-events.ts'
import { createWebhook, readEvents } from '../../storage/webhooks/webhooks.ts'
import { Misuse, textOption } from '../frame/command.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { preparedCommand } from '../frame/workspace-command.ts'
import { webhooksOf } from './webhook-command.ts'

export const webhookCreateCommand = preparedCommand({
  name: 'webhook create',
  usage: '--workspace W --url U --events a,b',
  summary: 'Creates a webhook and prints the secret that signs it once.',
  options: {
    url: { type: 'string', value: 'U', help: 'where events are sent: https, without a user name' },
    events: { type: 'string', value: 'E', help: `with commas between: ${webhookEvents.join(', ')}` },
    as: actorSpec,
  },
  prepare: invocation => {
    const url = textOption(invocation, 'url')
    if (url === null) throw new Misuse('--url is missing: say where events are sent')
    const events = textOption(invocation, 'events')
    if (events === null) throw new Misuse(`--events is missing: name some of ${webhookEvents.join(', ')}`)
    const names = events.split(',').map(each => each.trim())
    return { url, events: readEvents(names), by: { who: actorOf(invocation), fromAddress: null } }
  },
  async work({ installation, config, workspace }, { url, events, by }) {
    const webhooks = webhooksOf(installation, config)
    const endpoint = await webhooks.endpoint(url)
    const issued = await createWebhook(webhooks, { workspaceId: workspace.id, url: endpoint, events, by })
    return {
      json: issued,
      words: [
        issued.secret,
        '',
        `${issued.id} tells ${issued.url} of ${events.join(', ')}. Keep the secret now: it is not shown again.`,
      ],
    }
  },
})
