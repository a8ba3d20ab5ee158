// Where the audit stream goes, as the operator writes it: standard output, a file, a syslog server, or an address that takes
// lines of JSON. Text in, data out; nothing is opened here.

type SyslogTransport = 'udp' | 'tcp' | 'tls'

export type AuditDestination =
  /** `name` is what its place is kept under: what is told to one name is told once. */
  | { readonly kind: 'stdout'; readonly name: string }
  | { readonly kind: 'file'; readonly name: string; readonly path: string }
  | {
      readonly kind: 'syslog'
      readonly name: string
      readonly transport: SyslogTransport
      readonly host: string
      readonly port: number
    }
  | { readonly kind: 'https'; readonly name: string; readonly url: string }

export const auditRule =
  'stdout, file:/path, syslog://host:514, syslog+tcp://host:601, syslog+tls://host:6514 or https://… without a name and password in it'

/** The usual port of each. */
const ports: Readonly<Record<SyslogTransport, number>> = { udp: 514, tcp: 601, tls: 6514 }

const mostLetters = 500

/** `undefined` if it is none. */
export function readAuditDestination(text: string): AuditDestination | undefined {
  if (text.length > mostLetters) return undefined
  if (text === 'stdout') return { kind: 'stdout', name: text }
  if (text.startsWith('file:')) return fileOf(text)
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return undefined
  // Plain HTTP is for a receiver on this machine; requests check that.
  if (url.protocol === 'https:' || url.protocol === 'http:') return { kind: 'https', name: text, url: text }
  return syslogOf(url)
}

function fileOf(text: string): AuditDestination | undefined {
  const path = text.slice('file:'.length).replace(/^\/\/(?=\/)/, '')
  const isFile = path.startsWith('/') && !path.endsWith('/') && !/\p{Cc}/u.test(path)
  return isFile ? { kind: 'file', name: `file:${path}`, path } : undefined
}

function syslogOf(url: URL): AuditDestination | undefined {
  const transport = url.protocol === 'syslog:' ? 'udp' : /^syslog\+(udp|tcp|tls):$/.exec(url.protocol)?.[1]
  if (transport === undefined || url.hostname === '' || !['', '/'].includes(url.pathname) || url.search !== '')
    return undefined
  const way = transport as SyslogTransport
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = url.port === '' ? ports[way] : Number.parseInt(url.port, 10)
  return { kind: 'syslog', name: `syslog+${way}://${url.hostname}:${port}`, transport: way, host, port }
}

/** Acts are kept for a month at least. */
const keptDays = { least: 30, most: 36_500 }

export const keptDaysRule = `a whole number of days from ${keptDays.least} to ${keptDays.most}`

export function readKeptDays(text: string): number | undefined {
  const days = /^\d{1,5}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN
  return days >= keptDays.least && days <= keptDays.most ? days : undefined
}
