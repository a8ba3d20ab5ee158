// People in browsers, each with their own window, in front of a server with the demo.
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { KeyRing } from '../../src/storage/keys/key-ring.ts'
import type { startStandIn } from '../stand-in/stand-in.ts'
import { type DemoWords, demoWordsName } from '../support/run/prepared-folder.ts'
import { openBrowser } from './chromium.ts'
import { watchRequests } from './requests-under-way.ts'

export type Name = 'ann' | 'sam' | 'pia' | 'olga'

/** A person in a browser window. What the page complains about is collected: there must be nothing. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: string[]
  /** Goes to a path of the demo workspace: `/series`. */
  open(path: string): Promise<void>
}

export interface House {
  readonly address: string
  readonly dataFolder: string
  readonly ring: KeyRing
  readonly key: string
  readonly standIn: Awaited<ReturnType<typeof startStandIn>>
  /** A window of its own, signed in, without a page yet. */
  visit(name: Name, options?: BrowserContextOptions): Promise<Visit>
  /** A window without anybody signed in. */
  stranger(options?: BrowserContextOptions): Promise<Visit>
  passwordOf(name: Name): { readonly email: string; readonly password: string }
  /** Another command on the same installation; what it wrote. */
  command(...words: string[]): Promise<string>
  closeWindows(): Promise<void>
  close(): Promise<void>
}

/** What a house has beyond the demo, made by commands: once in a run, then copied. */
export interface Furniture {
  readonly name: string
  make(command: House['command']): Promise<void>
}

export interface HouseOptions {
  /** What else is in its environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly furniture?: Furniture
}

/** A server that runs, with what belongs to it. */
interface Served extends Pick<House, 'address' | 'dataFolder' | 'ring' | 'standIn' | 'command'> {
  leave(): Promise<void>
}

/** Windows in front of it; what the demo has said is next to its data. */
export async function openWindows(served: Served): Promise<House> {
  const { address, dataFolder, ring, standIn, command, leave } = served
  const demo = JSON.parse(await readFile(join(dirname(dataFolder), demoWordsName), 'utf8')) as DemoWords
  const browser = await openBrowser()
  const windows: BrowserContext[] = []
  const closeWindows = async () => {
    await Promise.all(windows.splice(0).map(context => context.close()))
  }
  const stranger = async (options?: BrowserContextOptions) => {
    const visit = await openWindow(browser, address, options)
    windows.push(visit.context)
    return visit
  }
  const passwordOf = (name: Name) => demo.signIns.find(({ email }) => email.startsWith(`${name}@`))!
  return {
    address,
    dataFolder,
    ring,
    standIn,
    command,
    passwordOf,
    stranger,
    closeWindows,
    key: demo.key,
    async visit(name, options) {
      const visit = await stranger(options)
      await signIn(visit.context, address, passwordOf(name))
      return visit
    },
    close: () => closeWindows().finally(leave),
  }
}

async function openWindow(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // What moves is drawn sixty times a second, by the processor that the test runs on.
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  watchRequests(page)
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('request', request => {
    if (!request.url().startsWith(address) && !/^(?:data|blob):/.test(request.url()))
      complaints.push(`asked for ${request.url()}`)
  })
  return { page, context, complaints, open: async path => void (await page.goto(`${address}/w/demo${path}`)) }
}

/** As the form does it, without its page: that takes longer than most of what is then done. */
async function signIn(
  { request }: BrowserContext,
  address: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  const answer = await request.post(`${address}/console/sign-in`, {
    data: { email, password },
    headers: { origin: address },
  })
  if (!answer.ok()) throw new Error(`signing in answered ${answer.status()}: ${await answer.text()}`)
}
