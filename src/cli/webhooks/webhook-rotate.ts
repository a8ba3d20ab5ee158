// `webhook rotate`: a new secret, printed once. The old one signs as well for a day, so that receivers change over without a gap.
import { webhookBounds } from '../../storage/webhooks/webhook-bounds.ts'
import { rotateWebhook } from '../../storage/webhooks/webhooks.ts'
import { choiceOption } from '../frame/command.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { webhookCommand } from './webhook-command.ts'

export const webhookRotateCommand = webhookCommand({
  name: 'webhook rotate',
  usage: '<id> [--old ends]',
  summary: 'Makes a new secret for a webhook and prints it once.',
  options: {
    old: {
      type: 'string',
      value: 'O',
      help: `signs (default): the old one signs as well for ${webhookBounds.overlapHours} h; ends: at once`,
    },
    as: actorSpec,
  },
  async work({ name: { workspaceId, webhookId }, webhooks, invocation }) {
    const overlapHours =
      choiceOption(invocation, 'old', ['signs', 'ends'] as const) === 'ends' ? 0 : webhookBounds.overlapHours
    const by = { who: actorOf(invocation), fromAddress: null }
    const issued = await rotateWebhook(webhooks, workspaceId, webhookId, { overlapHours, by })
    const old = overlapHours === 0 ? 'The old one no longer signs.' : `The old one signs as well for ${overlapHours} h.`
    return { json: issued, words: [issued.secret, '', `${old} Keep it now: it is not shown again.`] }
  },
})
