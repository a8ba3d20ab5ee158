// `demo`: `serve` on a demo workspace, which is created if it does not exist. It prints sign-ins, a key and commands that
// work when pasted.

import { type Config, localAddress } from '../../config.ts'
import { type Demo, makeDemo } from '../../demo/make.ts'
import { demoInvoices } from '../../demo/prices.ts'
import { currentInstant } from '../frame/clock.ts'
import { type Command, type Invocation, Misuse, printJson, textOption } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { ProgressLine } from '../frame/progress.ts'
import { type DemoSso, formatDemoSso, startDemoSso } from './demo-sso.ts'
import { serveUntilStopped } from './serve.ts'

/** More than people look at. */
const mostAgreements = 5_000

export const demoCommand: Command = {
  name: 'demo',
  usage: '[--agreements N] [--sso] [--no-serve]',
  summary: 'Serves a demo workspace, created if needed: series, agreements, prices, invoices, a key and sign-ins.',
  options: {
    agreements: {
      type: 'string',
      value: 'N',
      help: `the demo at the size of a portfolio: adds agreements of five suppliers, signed, billed and corrected, up to N (at most ${mostAgreements})`,
    },
    sso: { type: 'boolean', help: 'with a stand-in identity provider of a supplier, to sign in by it' },
    'no-serve': { type: 'boolean', help: 'only creates the workspace' },
  },
  positionals: { least: 0, most: 0 },
  run(invocation) {
    const agreements = wantedAgreements(invocation)
    const progress = new ProgressLine(invocation)
    progress.show('preparing the database …', 0, 0)
    return withInstallation(invocation, async (installation, config) => {
      progress.show('preparing the demo workspace …', 0, 0)
      const onProgress = (done: number, of: number) => progress.show('preparing the agreements …', done, of)
      const portfolio = agreements === null ? null : { agreements, onProgress }
      const demo = await makeDemo(installation, config.dataFolder, currentInstant(), portfolio)
      progress.clear()
      if (invocation.options['no-serve'] === true) {
        present(invocation, demo, localAddress(config.host, config.port), 'made')
        return 0
      }
      const sso = invocation.options.sso === true ? await startDemoSso(installation, demo, config) : null
      return serveUntilStopped(quiet(sso?.config ?? config, invocation), running =>
        present(invocation, demo, reached(config, running.address), 'served', sso),
      ).finally(() => sso?.close())
    }).finally(() => progress.clear())
  },
}

function wantedAgreements(invocation: Invocation): number | null {
  const text = textOption(invocation, 'agreements')
  if (text === null) return null
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > mostAgreements)
    throw new Misuse(`--agreements must be a whole number from 1 to ${mostAgreements}, got "${text}"`)
  return count
}

/** The package contains compiled code and is called by its own name. */
const isCheckout = import.meta.url.endsWith('.ts')

/** A newcomer's first screen should not show a log, unless it was requested. */
function quiet(config: Config, { terminal }: Invocation): Config {
  return terminal.env.LOG_LEVEL ? config : { ...config, logLevel: 'warn' }
}

/** The address of the server, with the actual port. */
function reached({ host }: Config, address: string): string {
  return localAddress(host, Number.parseInt(new URL(address).port, 10))
}

export interface Trial {
  readonly what: string
  /** Lines for a shell, one after the other. */
  readonly lines: readonly string[]
}

export function trialsOf({ key, steelSeriesId }: Pick<Demo, 'key' | 'steelSeriesId'>, address: string): Trial[] {
  const ask = (path: string) => `curl -sH "Authorization: Bearer ${key}" "${address}${path}"`
  const curl = (path: string) => ask(`/v1${path}`)
  const adjustment = '/pams/steel-brackets/adjustment'
  return [
    {
      what: 'The price of the bracket BR-120 today, and its proposed price',
      lines: [ask('/ext/v1/prices?item=BR-120')],
    },
    { what: 'The newest price adjustment of the steel brackets, which nobody has signed', lines: [curl(adjustment)] },
    {
      what: 'The number that both parties signed for 2025-Q4, and the number after the steel index was revised',
      lines: [curl(`${adjustment}?period=2025-Q4`), curl(`${adjustment}?period=2025-Q4&asOf=2026-06-30`)],
    },
    {
      what: 'Every published figure of that index, with its day',
      lines: [curl(`/series/${steelSeriesId}/vintages?from=2025-06-01`)],
    },
    {
      what: 'The receipt of 2025-Q4, recomputed offline',
      lines: [
        `${curl(`${adjustment}/receipt?period=2025-Q4`)} > receipt.json`,
        `${isCheckout ? 'npm run --silent assize --' : 'assize'} verify receipt.json`,
      ],
    },
  ]
}

function present(
  invocation: Invocation,
  demo: Demo,
  address: string,
  state: 'made' | 'served',
  sso: DemoSso | null = null,
): void {
  const { workspace, isNew, key, signIns } = demo
  const docs = `${address}/docs`
  const trials = trialsOf(demo, address)
  if (invocation.json) {
    const people = signIns.map(({ email, role, isOperator, password }) => ({ email, role, isOperator, password }))
    const invoices = demoInvoices
    const bySso = sso === null ? {} : { sso: { address: sso.address, issuer: sso.issuer, people: sso.people } }
    const made = { address, docs, workspace: workspace.slug, isNew, key, invoices, signIns: people, trials, ...bySso }
    printJson(invocation, made)
    return
  }
  const lines = [
    state === 'served'
      ? `Assize serves the demo at ${address}`
      : `The demo workspace is ready; ${isCheckout ? 'npm run' : 'assize'} demo serves it`,
    '',
    `  sign in at  ${address}/sign-in`,
    ...signInLines(signIns).map(line => `              ${line}`),
    '',
    ...(sso === null ? [] : formatDemoSso(sso)),
    ...signIns.flatMap(({ email, isOperator }) =>
      isOperator ? [`  operator    ${email}, who decides on public series and sees every provider`] : [],
    ),
    `  workspace   ${workspace.slug} (${workspace.name})`,
    `  API key     ${key}`,
    `  docs        ${docs}`,
    `  invoices    ${demoInvoices}`,
    '              drop it on the page Bring data in: five of its lines are wrong',
    '',
    ...trials.flatMap(({ what, lines: shell }) => [`${what}:`, ...shell.map(line => `  ${line}`), '']),
    ...(state === 'served' ? ['Ctrl-C stops it.'] : []),
  ]
  invocation.terminal.out(lines)
}

/** Role, address and password, one line per person. */
function signInLines(signIns: Demo['signIns']): readonly string[] {
  const width = (of: (person: Demo['signIns'][number]) => string) => Math.max(...signIns.map(each => of(each).length))
  const [roleWidth, emailWidth] = [width(({ role }) => role), width(({ email }) => email)]
  return signIns.map(
    ({ role, email, password }) =>
      `${role.padEnd(roleWidth)}  ${email.padEnd(emailWidth)}  ${password ?? '(the password they have set)'}`,
  )
}
