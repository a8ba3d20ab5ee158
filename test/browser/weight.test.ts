import { beforeAll, describe, expect, test } from 'vitest'
import type { House, Visit } from './house.ts'
import { shareHouse } from './reading-house.ts'

/** Everything a first visit transfers: a page of that size loads in two seconds on a slow line of 2 Mbit/s. */
const maxBytes = 400_000

let house: House
let signedIn: Awaited<ReturnType<Visit['context']['storageState']>>
shareHouse(async shared => {
  house = shared
  const { context } = await house.visit('olga')
  signedIn = await context.storageState()
  await context.close()
})

interface Answer {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

interface Load {
  readonly bytes: number
  readonly answers: readonly Answer[]
  readonly complaints: readonly string[]
}

/** The first visit of a browser that has nothing of ours yet. `ready` is there when one can begin. */
async function loadFirst(visit: Visit, address: string, ready: string): Promise<Load> {
  const { page, context, complaints } = visit
  const answers: Answer[] = []
  page.on('response', response => answers.push({ path: new URL(response.url()).pathname, headers: response.headers() }))
  const wire = await context.newCDPSession(page)
  let bytes = 0
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await wire.send('Network.enable')
  await page.goto(`${house.address}${address}`)
  await page.locator(ready).first().waitFor()
  await page.waitForLoadState('networkidle')
  return { bytes, answers, complaints }
}

const firstPages = [
  { name: 'the sign-in', address: '/sign-in', ready: 'button[type=submit]:enabled', isSignedIn: false },
  { name: 'the overview', address: '/w/demo', ready: 'main table tbody tr', isSignedIn: true },
]

describe.each(firstPages)('the first load of $name', ({ address, ready, isSignedIn }) => {
  let load: Load

  beforeAll(async () => {
    const visit = await house.stranger(isSignedIn ? { storageState: signedIn } : {})
    load = await loadFirst(visit, address, ready)
    await visit.context.close()
  })

  test('is small, and loads only from our server', () => {
    expect(load.bytes).toBeGreaterThan(50_000)
    expect(load.bytes).toBeLessThan(maxBytes)
    // Requests to anywhere else and whatever the policy refused would appear here.
    expect(load.complaints).toEqual([])
  })

  test('comes compressed, with files that may be cached forever', () => {
    const files = load.answers.filter(({ path }) => path.startsWith('/assets/'))
    expect(files.length).toBeGreaterThan(2)
    for (const { path, headers } of files) {
      expect([path, headers['cache-control']]).toEqual([path, 'public, max-age=31536000, immutable'])
      const isText = /javascript|css/.test(headers['content-type']!)
      const isSmall = Number(headers['content-length']) < 1_024
      if (isText && !isSmall) expect([path, headers['content-encoding']]).toEqual([path, 'br'])
    }
  })

  test('comes with a policy that allows only our own files', () => {
    const policy = load.answers.find(({ path }) => path === address)!.headers['content-security-policy']!
    const rules = new Map(policy.split('; ').map(rule => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]))
    expect(rules.get('default-src')).toBe("'none'")
    expect(rules.get('script-src')).toBe("'self'")
    expect(rules.get('connect-src')).toBe("'self'")
    expect(rules.get('style-src')).toMatch(/^'self' 'nonce-[\w+/=]{20,}'$/)
    expect(rules.get('frame-ancestors')).toBe("'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
  })
})
