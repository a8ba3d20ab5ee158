// Access that a restored database brings back to life, in words: removed after the restored moment, it must not come back
// unnoticed.
import type { Revived } from '../../storage/upkeep/revived-secrets.ts'
import { countOf } from '../frame/progress.ts'

/** Lines about everything that works as it did at the restored moment. `command`: the one whose `--revoke-keys` ends all keys. */
export function revivedLines(at: string, revived: Revived, command: string): readonly string[] {
  const { keys, invitations, webhooks } = revived
  return [
    `what was revoked, changed or ended after ${at} is back in effect:`,
    ...keys.map(({ workspace, name, id, lastFour }) => `  key ${name} of ${workspace}, ${id}, …${lastFour}: works`),
    ...webhooks.map(({ workspace, id, url }) => `  webhook ${id} of ${workspace}: tells ${url}`),
    ...(invitations === 0 ? [] : [`  ${countOf(invitations, 'invitation')}: still open`]),
    ...passwordLines(at, revived).map(line => `  ${line}`),
    ...(keys.length === 0 ? [] : [`assize key revoke <id> ends a key; ${command} with --revoke-keys ends all of them`]),
  ]
}

/** Lines after `--revoke-keys`. */
export function endedLines(at: string, revived: Revived): readonly string[] {
  const { keys, invitations, webhooks } = revived
  return [
    `ended at once: ${countOf(keys.length, 'key')}, ${countOf(invitations, 'invitation')}, ${countOf(webhooks.length, 'webhook')} and every session`,
    ...passwordLines(at, revived),
  ]
}

function passwordLines(at: string, { people }: Revived): readonly string[] {
  return people.length === 0 ? [] : [`passwords are those of ${at}: ${people.join(', ')}`]
}
