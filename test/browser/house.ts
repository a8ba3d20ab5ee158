// What a new user has: the demo served by the real program on its own database, with the stand-in in place of the
// providers; and people in browsers, each with their own window.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { startStandIn } from '../stand-in/stand-in.ts'
import { commandOutput, program } from '../support/command-output.ts'
import { copyPrepared } from '../support/prepared-folder.ts'
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
  /** A window of its own, signed in. */
  visit(name: Name, options?: BrowserContextOptions): Promise<Visit>
  /** A window without anybody signed in. */
  stranger(options?: BrowserContextOptions): Promise<Visit>
  passwordOf(name: Name): { readonly email: string; readonly password: string }
  /** Another command on the same installation; what it wrote. */
  command(...words: string[]): Promise<string>
  close(): Promise<void>
}

interface DemoWords {
  readonly address: string
  readonly key: string
  readonly signIns: readonly { readonly email: string; readonly password: string }[]
}

/** `more`: what else is in its environment. */
export async function openHouse(more: Readonly<Record<string, string>> = {}): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-browser-'))
  const dataFolder = join(folder, 'data')
  const path = process.env.PATH ?? ''
  await copyPrepared('demo', dataFolder, made =>
    commandOutput(['demo', '--no-serve', '--json'], { PATH: path, ASSIZE_DATA: made }),
  )
  const standIn = await startStandIn({ port: 0, limits: 'none', at: '2025-06-15' })
  const env = { PATH: path, ASSIZE_DATA: dataFolder, PORT: '0', ...standIn.environment, ...more }
  const child = spawn(process.execPath, [program, 'demo', '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const leave = async () => {
    if (child.exitCode === null) {
      const left = once(child, 'exit')
      child.kill('SIGTERM')
      await left
    }
    await standIn.close()
    await rm(folder, { recursive: true, force: true })
  }
  const [demo, browser] = await openBoth(child).catch(async error => {
    await leave()
    throw error
  })
  const passwordOf = (name: Name) => demo.signIns.find(({ email }) => email.startsWith(`${name}@`))!
  return {
    address: demo.address,
    dataFolder,
    key: demo.key,
    standIn,
    passwordOf,
    stranger: options => openWindow(browser, demo.address, options),
    async visit(name, options) {
      const visit = await openWindow(browser, demo.address, options)
      await signIn(visit.page, demo.address, passwordOf(name))
      return visit
    },
    command: (...words) => commandOutput(words, env),
    async close() {
      await browser.close()
      await leave()
    },
  }
}

async function openBoth(child: ReturnType<typeof spawn>): Promise<[DemoWords, Browser]> {
  return [await readDemo(child), await openBrowser()]
}

async function readDemo(child: ReturnType<typeof spawn>): Promise<DemoWords> {
  let [said, complained] = ['', '']
  child.stderr!.setEncoding('utf8').on('data', text => {
    complained += text
  })
  return new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the demo ended with ${code}: ${complained}`)))
    child.stdout!.setEncoding('utf8').on('data', text => {
      said += text
      try {
        resolve(JSON.parse(said) as DemoWords)
      } catch {
        // More of it will follow.
      }
    })
  })
}

async function openWindow(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
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

async function signIn(
  page: Page,
  address: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  await page.goto(`${address}/sign-in`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}
