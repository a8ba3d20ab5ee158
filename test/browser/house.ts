// What a new user has: the demo served by the real program on its own database, with the stand-in in place of the
// providers; and people in browsers, each with their own window.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { localAddress } from '../../src/config.ts'
import { startStandIn } from '../stand-in/stand-in.ts'
import { commandOutput, processEnv, program } from '../support/clients/command-output.ts'
import { copyPrepared, type DemoWords, demoWordsName, fillWithDemo } from '../support/run/prepared-folder.ts'
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

export async function openHouse({ env: more = {}, furniture }: HouseOptions = {}): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-browser-'))
  await (furniture === undefined ? fillWithDemo(folder) : furnish(folder, furniture))
  const dataFolder = join(folder, 'data')
  const demo = JSON.parse(await readFile(join(folder, demoWordsName), 'utf8')) as DemoWords
  const standIn = await startStandIn({ port: 0, limits: 'none', at: '2025-06-15' })
  const env = { ...environmentOf(dataFolder), PORT: '0', LOG_LEVEL: 'warn', ...standIn.environment, ...more }
  const child = spawn(process.execPath, ['--import', tie, program, 'serve', '--json'], { env, stdio: 'pipe' })
  const leave = async () => {
    if (child.exitCode === null) {
      const left = once(child, 'exit')
      child.kill('SIGTERM')
      await left
    }
    await standIn.close()
    await rm(folder, { recursive: true, force: true })
  }
  const [address, browser] = await Promise.all([readAddress(child), openBrowser()]).catch(async error => {
    await leave()
    throw error
  })
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
    key: demo.key,
    standIn,
    passwordOf,
    stranger,
    async visit(name, options) {
      const visit = await stranger(options)
      await signIn(visit.context, address, passwordOf(name))
      return visit
    },
    command: (...words) => commandOutput(words, env),
    closeWindows,
    close: () => closeWindows().finally(leave),
  }
}

const tie = fileURLToPath(new URL('../support/run/ends-with-its-parent.ts', import.meta.url))

const environmentOf = (dataFolder: string) => ({ ...processEnv, ASSIZE_DATA: dataFolder })

async function furnish(folder: string, { name, make }: Furniture): Promise<void> {
  const makeBoth = async (made: string) => {
    await fillWithDemo(made)
    await make((...words) => commandOutput(words, environmentOf(join(made, 'data'))))
  }
  if (!(await copyPrepared(`demo-with-${name}`, folder, makeBoth))) await makeBoth(folder)
}

async function readAddress(child: ChildProcess): Promise<string> {
  let [said, complained] = ['', '']
  child.stderr!.setEncoding('utf8').on('data', text => {
    complained += text
  })
  return new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the server ended with ${code}: ${complained}`)))
    child.stdout!.setEncoding('utf8').on('data', text => {
      said += text
      const listening = /"address":\s*"([^"]+)"/.exec(said)
      if (listening === null) return
      const { hostname, port } = new URL(listening[1]!)
      resolve(localAddress(hostname, Number(port)))
    })
  })
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
