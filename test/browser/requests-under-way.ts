// Which requests of a page have no answer yet, and whether it shows all of them as known, so that tests wait for these and not for
// a while without any.
import type { Page, Request } from 'playwright-core'

const underWay = new WeakMap<Page, Set<Request>>()

/** Before the page's first request. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>()
  underWay.set(page, requests)
  page.on('requestfinished', request => requests.delete(request))
  page.on('requestfailed', request => requests.delete(request))
  let newDocument: Request | null = null
  page.on('request', request => {
    requests.add(request)
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) newDocument = request
  })
  page.on('framenavigated', frame => {
    if (frame !== page.mainFrame() || newDocument === null) return
    // Requests of the previous page are not reported any more.
    for (const request of requests) if (request !== newDocument) requests.delete(request)
    newDocument = null
  })
}

/** Until everything that depends on the size of the window, or has just arrived, has been drawn. */
export const nextFrames =
  'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))'

const patienceMs = 60_000

/** Until all requests are answered and the answers are drawn without new ones being sent. */
export async function untilAnswered(page: Page): Promise<void> {
  const requests = underWay.get(page)
  if (requests === undefined) throw new Error('the requests of this page are not watched')
  const untilMs = performance.now() + patienceMs
  for (let quiet = 0; quiet < 2; ) {
    await page.evaluate(nextFrames)
    quiet = requests.size === 0 ? quiet + 1 : 0
    // Not when only the drawing was slow: then the machine is busy, and nothing is missing.
    if (requests.size > 0 && performance.now() > untilMs)
      throw new Error(`still without an answer: ${[...requests].map(request => request.url()).join(' ')}`)
  }
}

/**
 * Until nothing on the page is shown as it was last known, because agreements are still being computed: it asks again until
 * they are. Says whether it had to wait.
 */
export async function untilKnown(page: Page): Promise<boolean> {
  const outdated = page.locator('[data-is-known=false]')
  if ((await outdated.count()) === 0) return false
  await outdated.first().waitFor({ state: 'detached', timeout: patienceMs })
  return true
}
