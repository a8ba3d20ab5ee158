// A real Chromium: the one that comes from npm, which is built for headless use; the machine's own one if that cannot be
// started, or is not built for this processor. Nothing it does leaves the machine. A process starts one and keeps it for all
// its test files, because a start takes as long as several pages; every file has windows of its own.
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packed from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import { FileLock } from '../../src/storage/embedded/file-lock.ts'

/** The headless shell first: a page takes half its time. */
const places = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  // A process of its own for each new page would compile all of our code again: nearly half of what a load costs.
  '--process-per-site',
]

let running: Promise<Browser> | null = null

/** The one of this process. It ends together with the process, however that ends: then nobody holds its pipe any more. */
export async function openBrowser(): Promise<Browser> {
  if (running === null || !(await running.then(isThere, () => false))) running = start()
  return running
}

/** For a process that would otherwise wait for it. */
export async function closeBrowser(): Promise<void> {
  await (await running)?.close()
  running = null
}

const isThere = (browser: Browser) => browser.isConnected()

const isPackedForHere = process.platform === 'linux' && process.arch === 'x64'

async function start(): Promise<Browser> {
  const own = places.find(existsSync)
  if (own !== undefined && !isPackedForHere) return launch(own)
  return launch(await unpack()).catch(error => {
    if (own === undefined) throw error
    return launch(own)
  })
}

function launch(executablePath: string): Promise<Browser> {
  // A process that is told to end must end, and not only close its browser.
  return chromium.launch({ executablePath, args: quiet, headless: true, handleSIGTERM: false })
}

/** One after the other: the second process finds it complete. */
async function unpack(): Promise<string> {
  const lock = await FileLock.wait(join(tmpdir(), 'assize-chromium.lock'), 'alone', 120_000)
  try {
    return await packed.executablePath()
  } finally {
    lock.release()
  }
}
