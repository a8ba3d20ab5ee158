import { describe, expect, test } from 'vitest'
import { endedLines, revivedLines } from './revived-lines.ts'

const createdAt = '2026-11-01T08:00:00.000000Z'
const key = { workspace: 'acme', id: 'key_1', name: 'erp', lastFour: 'x9Yz', createdAt }
const webhooks = [{ workspace: 'acme', id: 'whk_1', url: 'https://erp.example/hook' }]

describe('what a restore reports as working again', () => {
  test('is every key, every open invitation and whose passwords are old, with the instant of the backup', () => {
    const revived = { keys: [key], people: ['ann@test.test', 'bob@test.test'], invitations: 1, webhooks }
    expect(revivedLines(createdAt, revived, 'restore')).toEqual([
      `what was revoked, changed or ended after ${createdAt} is back in effect:`,
      '  key erp of acme, key_1, …x9Yz: works',
      '  webhook whk_1 of acme: tells https://erp.example/hook',
      '  1 invitation: still open',
      `  passwords are those of ${createdAt}: ann@test.test, bob@test.test`,
      'assize key revoke <id> ends a key; restore with --revoke-keys ends all of them',
    ])
  })

  test('is reported as ended if it was', () => {
    const revived = { keys: [key], people: ['ann@test.test'], invitations: 0, webhooks }
    expect(endedLines(createdAt, revived)).toEqual([
      'ended at once: 1 key, 0 invitations, 1 webhook and every session',
      `passwords are those of ${createdAt}: ann@test.test`,
    ])
  })
})
