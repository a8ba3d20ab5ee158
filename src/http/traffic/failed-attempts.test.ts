import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { FailedAttempts, groupOf } from './failed-attempts.ts'

const most = limits.failedAttemptsPerMinute

test('lets a number of attempts fail in any minute and then says how long to wait', () => {
  const attempts = new FailedAttempts()
  for (let i = 0; i < most; i++) expect(attempts.count('192.0.2.1', i)).toBeNull()
  expect(attempts.areTooMany('192.0.2.1', 30_000)).toBe(true)
  expect(attempts.count('192.0.2.1', 30_000)).toBe(31)
  expect(attempts.areTooMany('192.0.2.2', 30_000)).toBe(false)
  expect(attempts.areTooMany('192.0.2.1', 60_000)).toBe(false)
  expect(attempts.count('192.0.2.1', 60_000)).toBeNull()
})

test('counts the addresses of one IPv6 network as one', () => {
  const groups = {
    '192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:0DB8:1:2::': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    '2001::2:3:4:5:6': '2001:0:0:2::/64',
    '::': '0:0:0:0::/64',
    '::1': '0:0:0:0::/64',
    'fe80::1%eth0.5': 'fe80:0:0:0::/64',
    '': '',
  }
  for (const [address, group] of Object.entries(groups)) expect(groupOf(address)).toBe(group)
})

test('keeps a bounded number of addresses and forgets those that are quiet', () => {
  const attempts = new FailedAttempts()
  for (let i = 0; i < most; i++) attempts.count('192.0.2.1', 0)
  for (let i = 0; i < limits.failingAddressesKept * 2; i++) {
    attempts.count(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 1)
    // An address that keeps failing is not forgotten.
    if (i % 1_000 === 0) expect(attempts.count('192.0.2.1', 1)).not.toBeNull()
  }
  expect(attempts.size).toBe(limits.failingAddressesKept)
  attempts.count('192.0.2.3', 70_000)
  expect(attempts.size).toBe(1)
})
