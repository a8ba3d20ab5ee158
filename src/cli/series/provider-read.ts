// `provider read`: the content of a recorded answer, offline. Nothing is requested, compared or stored.
import { readFile } from 'node:fs/promises'
import { Refusal } from '../../core/refusal.ts'
import { decodeBody } from '../../ingest/charset.ts'
import { findProvider } from '../../providers/catalogue/catalogue.ts'
import type { ParsedAnswer, ParsedSeries, Provider } from '../../providers/provider.ts'
import { type Command, type Invocation, Misuse, printJson, textOption } from '../frame/command.ts'
import { whyUnusable } from '../frame/file-trouble.ts'

export const providerReadCommand: Command = {
  name: 'provider read',
  usage: '<PROVIDER> <file> [--code C] [--url U] [--status S]',
  summary: 'Reads a recorded response of a provider offline: series with their values, missing periods, problems.',
  options: {
    code: { type: 'string', value: 'C', help: 'the requested code, if the response does not name it' },
    url: { type: 'string', value: 'U', help: 'the requested address' },
    status: { type: 'string', value: 'S', help: 'the HTTP status of the response; default: 200' },
  },
  positionals: { least: 2, most: 2 },
  async run(invocation) {
    const [name, path] = invocation.positionals as readonly [string, string]
    const provider = findProvider(name)
    const code = textOption(invocation, 'code')
    const bytes = await readBytes(path)
    const parsed = provider.read({
      status: readStatus(textOption(invocation, 'status')),
      contentType: null,
      url: readAddress(textOption(invocation, 'url')),
      codes: code === null ? [] : [code],
      body: decodeBody(bytes, null, provider),
    })
    report(invocation, provider, parsed)
    return parsed.series.length === 0 && parsed.problems.length > 0 ? 1 : 0
  },
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new Refusal('not-found', `${path} cannot be read: ${whyUnusable(error)}`)
  }
}

function readStatus(text: string | null): number {
  if (text === null) return 200
  if (!/^[1-5]\d\d$/.test(text)) throw new Misuse(`--status must be an HTTP status, got "${text}"`)
  return Number.parseInt(text, 10)
}

function readAddress(text: string | null): string | null {
  if (text !== null && !URL.canParse(text)) throw new Misuse(`--url must be an address, got "${text}"`)
  return text
}

function report(invocation: Invocation, provider: Provider, parsed: ParsedAnswer): void {
  const { terminal } = invocation
  for (const { kind, message } of parsed.problems) terminal.err(`${provider.name}: ${kind}: ${message}\n`)
  if (invocation.json) {
    printJson(invocation, { provider: provider.name, ...presentParsedAnswer(parsed) })
    return
  }
  for (const series of parsed.series) terminal.out(describe(series))
  if (parsed.series.length + parsed.problems.length === 0) terminal.out('No series and no problem: an empty range.\n')
}

/** The documented members alone. */
export function presentParsedAnswer({ series, problems }: ParsedAnswer) {
  return {
    series: series.map(({ code, name, unit, frequency, observations, missing }) => ({
      code,
      name,
      unit,
      frequency,
      observations: observations.map(({ period, value, version, flag, published }) => ({
        period,
        value,
        version,
        flag,
        published,
      })),
      missing: missing.map(({ period, flag, reason }) => ({ period, flag, reason })),
    })),
    problems: problems.map(({ kind, message }) => ({ kind, message })),
  }
}

const shownRows = 12

function describe({ code, name, unit, frequency, observations, missing }: ParsedSeries): string[] {
  const head = [code, name, unit, frequency].filter(part => part !== null).join('  ')
  const hidden = observations.length - shownRows
  const rows = observations.slice(-shownRows).map(({ period, value, version, flag, published }) => {
    const notes = [version, flag, published].filter(part => part !== null).join('  ')
    return `  ${period.padEnd(12)}${value.padStart(16)}  ${notes}`
  })
  return [
    head,
    ...(hidden > 0 ? [`  … ${hidden} earlier values`] : []),
    ...rows,
    ...(missing.length > 0
      ? [`  ${missing.length} missing, the last ${missing.at(-1)!.period}: ${missing.at(-1)!.reason}`]
      : []),
    '',
  ]
}
