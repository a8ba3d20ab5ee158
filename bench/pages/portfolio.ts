// The pages that show all agreements at once, over the demo at the size of a portfolio: what a person waits for after a start, when
// the answer is first complete, and how long it takes from then on. The server runs in this process.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseInstant } from '../../src/core/time/instant.ts'
import { makeDemo } from '../../src/demo/make.ts'
import { openFolderGround, withConsole } from '../../test/faults/grounds.ts'
import { type Browser, signIn } from '../../test/support/houses/console.ts'
import { median } from '../growth/answers.ts'

const agreements = 500
const turns = 5
const paths = ['/overview', '/sign-offs', '/agreements', '/revisions', '/ledgers']
const people = ['ann@buyer.test', 'rita@valmora.test']

export const mostWarmMs = 500
export const mostColdMs = 3_000

interface PortfolioCall {
  readonly name: string
  /** The first answer after a start. */
  readonly firstMs: number
  /** Until an answer says nothing is still being computed. */
  readonly completeMs: number
  readonly warmMs: number
}

export async function measurePortfolio(say: (line: string) => void): Promise<readonly PortfolioCall[]> {
  const ground = await openFolderGround()
  const folder = await mkdtemp(join(tmpdir(), 'assize-portfolio-'))
  try {
    return await withConsole(
      async ({ api }) => {
        say(`filling the demo with ${agreements} agreements`)
        const place = { sql: api.sql, owner: api.owner, ring: api.ring }
        const now = parseInstant(new Date().toISOString())!
        const { workspace, signIns } = await makeDemo(place, folder, now, { agreements, onProgress: () => {} })
        const calls: PortfolioCall[] = []
        for (const path of paths)
          for (const email of people) {
            const { password } = signIns.find(each => each.email === email)!
            await api.restart()
            const browser = await signIn(api, email, workspace.slug, password!)
            calls.push({ name: `${path}, ${email}`, ...(await measureCall(browser, path)) })
          }
        return calls
      },
      ground,
      ground.secret,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureCall(browser: Browser, path: string): Promise<Omit<PortfolioCall, 'name'>> {
  const startedMs = performance.now()
  const elapsedMs = () => performance.now() - startedMs
  let isComplete = await ask(browser, path)
  const firstMs = elapsedMs()
  while (!isComplete) isComplete = await ask(browser, path)
  const completeMs = elapsedMs()
  const warm: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const beganMs = performance.now()
    await ask(browser, path)
    warm.push(performance.now() - beganMs)
  }
  return { firstMs, completeMs, warmMs: median(warm) }
}

/** Whether the answer is complete. */
async function ask(browser: Browser, path: string): Promise<boolean> {
  const { status, text, json } = await browser.get(path)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
  const { pending = 0, updating = 0 } = json as { readonly pending?: number; readonly updating?: number }
  return pending + updating === 0
}
