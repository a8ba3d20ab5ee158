// Who may import whom, from folder to folder and from room to room.
import { posix } from 'node:path'
import { importsOf, isCode, isTest, lineOf, type Rule } from './source-text.ts'

/** What each folder may import besides itself. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  core: [],
  // Files that are written: the same in a browser and on the server.
  formats: ['core'],
  providers: ['core', 'limits.ts'],
  storage: ['core', 'tracing', 'limits.ts'],
  // Which addresses may be asked at all, and one request to one that somebody of a workspace chose.
  outbound: ['core'],
  ingest: ['core', 'outbound', 'providers', 'storage', 'tracing', 'limits.ts', 'config.ts'],
  // Identity providers are asked within the bounds of other requests.
  identity: ['core', 'outbound', 'storage', 'ingest', 'limits.ts', 'config.ts'],
  // It shares the readers of CSV and XML with the providers.
  import: ['core', 'providers', 'storage', 'limits.ts'],
  // What makes the log believed by others: witnesses and time stamps, asked over HTTP.
  proof: ['core', 'storage', 'limits.ts', 'config.ts'],
  // Tells other systems what happened: what is sent, to whom, and when it is tried again.
  webhooks: ['core', 'outbound', 'storage', 'read', 'limits.ts', 'config.ts'],
  // Tells those who watch an installation from outside every act: how it is written, and to which destination.
  audit: ['core', 'storage', 'limits.ts', 'config.ts'],
  // Spans of what happens inside, for an SDK of OpenTelemetry that the operator preloads.
  tracing: [],
  // Threads and their scheduling, independent of what is done in them.
  workers: ['core', 'tracing'],
  // The code of a series says which release it comes with, which its provider knows.
  read: ['core', 'providers', 'storage', 'limits.ts'],
  agreements: ['core', 'read', 'storage', 'limits.ts'],
  // What a person sees, without HTTP: it also finds what to tell by mail.
  views: ['core', 'formats', 'providers', 'storage', 'read', 'agreements', 'mail', 'workers', 'limits.ts', 'config.ts'],
  // Mail to people: how it is written, sealed and sent.
  mail: ['core', 'storage', 'limits.ts', 'config.ts'],
  demo: ['core', 'formats', 'agreements', 'import', 'read', 'storage', 'limits.ts'],
  // The page at /docs describes both APIs.
  http: [
    'core',
    'tracing',
    'formats',
    'read',
    'storage',
    'agreements',
    'identity',
    'workers',
    'http/ext',
    'limits.ts',
    'config.ts',
    'sentinel-address.ts',
  ],
  // It checks invoice lines that are sent, with the readers of files.
  'http/ext': [
    'core',
    'formats',
    'import',
    'read',
    'storage',
    'agreements',
    'workers',
    'http',
    'limits.ts',
    'config.ts',
  ],
  // The pages can add series, which the API never does.
  'http/console': [
    'core',
    'formats',
    'providers',
    'storage',
    'ingest',
    'import',
    'read',
    'agreements',
    'workers',
    'http',
    'views',
    'mail',
    'identity',
    'outbound',
    'webhooks',
    'limits.ts',
    'config.ts',
  ],
  cli: [
    'core',
    'formats',
    'providers',
    'storage',
    'ingest',
    'import',
    'read',
    'agreements',
    'demo',
    'http',
    'mail',
    'identity',
    'outbound',
    'proof',
    'webhooks',
    'audit',
    'limits.ts',
    'config.ts',
    'main.ts',
    'notifications.ts',
  ],
  'main.ts': [
    'core',
    'providers',
    'storage',
    'ingest',
    'read',
    'agreements',
    'identity',
    'workers',
    'http',
    'http/ext',
    'http/console',
    'views',
    'limits.ts',
    'config.ts',
    'tracing',
    'worker-jobs.ts',
  ],
  // Webhooks, and which of the API's cursors they tell.
  'webhook-delivery.ts': [
    'core',
    'outbound',
    'storage',
    'ingest',
    'read',
    'webhooks',
    'http',
    'limits.ts',
    'config.ts',
  ],
  'notifications.ts': [
    'core',
    'webhook-delivery.ts',
    'storage',
    'read',
    'agreements',
    'mail',
    'views',
    'http',
    'http/console',
    'limits.ts',
    'config.ts',
  ],
  'worker.ts': ['worker-jobs.ts'],
  'worker-jobs.ts': [
    'core',
    'storage',
    'read',
    'agreements',
    'views',
    'workers',
    'http',
    'http/ext',
    'http/console',
    'limits.ts',
    'config.ts',
  ],
  'config.ts': ['core', 'limits.ts', 'sentinel-address.ts'],
  // Which addresses of Redis there are, for whoever reads them and whoever connects.
  'sentinel-address.ts': [],
  'limits.ts': [],
}

/**
 * The rooms of a folder, in the order in which they build on each other: a room imports those before it. `.` are the folder's
 * own files.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'src/core': [
    '.',
    'numbers',
    'time',
    'text',
    'proof',
    'identity',
    'series',
    'formula',
    'calculation',
    'receipt',
    'prices',
    'invoices',
    'true-up',
    'billing',
    'calendar',
    'index-changes',
    'people',
  ],
  'src/storage': [
    'embedded',
    'keys',
    'postgres',
    'trees',
    'log',
    'audit',
    'proof',
    'workspaces',
    'people',
    'identity',
    'series',
    'agreements',
    'upkeep',
    'backups',
    'webhooks',
    'rotation',
  ],
  'src/read': ['memory', 'series', 'agreements', 'lists', '.'],
  'src/views': ['shapes', 'calls', 'sight', 'series', 'agreements', 'evidence', 'true-up', '.'],
  'src/http': ['traffic', 'frame', 'api', 'v1', 'ext', 'sdmx', 'docs', 'log', 'console', '.'],
  'src/http/console': ['frame', 'account', 'series', 'agreements', 'true-up', 'settings', '.'],
  'src/cli': [
    'frame',
    'series',
    'agreements',
    'prices',
    'true-up',
    'index-changes',
    'people',
    'sso',
    'workspaces',
    'verify',
    'webhooks',
    'audit',
    'log',
    'witness',
    'secret',
    'mcp',
    'installation',
    '.',
  ],
}

/** Inside a folder imports point one way too, from room to room. */
export const roomsBuildOnEachOther: Rule = ({ path, text }) => {
  if (!isCode(path) || isTest(path)) return []
  return Object.entries(rooms).flatMap(([folder, order]) => {
    if (!path.startsWith(`${folder}/`)) return []
    const roomOf = (file: string) => {
      const [room, ...rest] = file.slice(folder.length + 1).split('/')
      return rest.length > 0 ? room! : '.'
    }
    const own = order.indexOf(roomOf(path))
    if (own < 0) return [`${folder} has no room ${roomOf(path)}`]
    return importsOf(text).flatMap(({ target, at }) => {
      const to = posix.join(posix.dirname(path), target)
      if (!target.startsWith('.') || !to.startsWith(`${folder}/`) || order.indexOf(roomOf(to)) <= own) return []
      return [`line ${lineOf(text, at)}: ${roomOf(path)} must not import ${roomOf(to)}`]
    })
  })
}

function partOf(path: string): string {
  const [, part, sub] = path.split('/')
  return part === 'http' && (sub === 'console' || sub === 'ext') ? `http/${sub}` : part!
}

/** Core and formats are pure and work in a browser as on the server; of the rest, pages know the shapes of answers. */
function isForTheWeb(to: string, typeOnly: boolean): boolean {
  return to.startsWith('src/core/') || to.startsWith('src/formats/') || (typeOnly && /^src\/(?:http|views)\//.test(to))
}

/** Imports point one way, and name files by their endings. */
export const arrowsPointOneWay: Rule = ({ path, text }) => {
  if (!isCode(path)) return []
  return importsOf(text).flatMap(({ target, typeOnly, at }) => {
    if (!target.startsWith('.')) return []
    const place = `line ${lineOf(text, at)}: `
    const to = posix.join(posix.dirname(path), target)
    if (!/\.(?:tsx?|css|json|svg)$/.test(to)) return [`${place}${target} lacks its ending`]
    if (to.startsWith('..')) return [`${place}${target} lies outside the project`]
    if (path.startsWith('web/') && to.startsWith('src/') && !isForTheWeb(to, typeOnly))
      return [`${place}web imports core, formats and wire types only, not ${to}`]
    if (!path.startsWith('src/')) return []
    if (!to.startsWith('src/')) return isTest(path) && to.startsWith('test/') ? [] : [`${place}src imports ${to}`]
    if (isTest(path)) return []
    const [from, into] = [partOf(path), partOf(to)]
    return from === into || arrows[from]?.includes(into) === true ? [] : [`${place}${from} must not import ${into}`]
  })
}
