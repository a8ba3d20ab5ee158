// A real Chromium: the one of the machine, else the one that comes from npm. Nothing it does leaves the machine.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = [
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
]

export async function openBrowser(): Promise<Browser> {
  const own = places.find(existsSync)
  const executablePath = own ?? (await (await import('@sparticuz/chromium')).default.executablePath())
  return chromium.launch({ executablePath, args: quiet, headless: true })
}
