// A command on one webhook, which is named by its id alone, and the line that describes a webhook.

import type { Config } from '../../config.ts'
import { disabledWords } from '../../core/people/webhook-events.ts'
import type { KeyRing } from '../../storage/keys/key-ring.ts'
import type { WebhookName } from '../../storage/webhooks/deliveries.ts'
import { findWorkspaceOfWebhook, type Webhook } from '../../storage/webhooks/webhooks.ts'
import { type ManagedWebhooks, openWebhooks } from '../../webhooks/open-webhooks.ts'
import { currentInstant, toTheSecond } from '../frame/clock.ts'
import type { Command, Done, Invocation } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'

interface OneWebhook {
  readonly name: WebhookName
  readonly webhooks: ManagedWebhooks
  readonly invocation: Invocation
}

interface Definition extends Pick<Command, 'name' | 'usage' | 'summary' | 'options'> {
  readonly work: (one: OneWebhook) => Promise<Done>
}

export function webhookCommand({ work, ...rest }: Definition): Command {
  return {
    ...rest,
    positionals: { least: 1, most: 1 },
    run: invocation =>
      withInstallation(invocation, async ({ sql, owner, ring }, config) => {
        const webhookId = invocation.positionals[0]!
        const workspaceId = await findWorkspaceOfWebhook(owner, webhookId)
        const webhooks = webhooksOf({ sql, ring }, config)
        return work({ name: { workspaceId, webhookId }, webhooks, invocation })
      }),
  }
}

export function webhooksOf(
  { sql, ring }: { readonly sql: ManagedWebhooks['sql']; readonly ring: KeyRing },
  config: Config,
): ManagedWebhooks {
  return openWebhooks({ sql, ring, config, now: currentInstant })
}

export function stateWords({ disabledAt, disabledWhy }: Webhook): string {
  return disabledAt === null ? 'enabled' : `${disabledWords[disabledWhy!]} (${toTheSecond(disabledAt)})`
}
