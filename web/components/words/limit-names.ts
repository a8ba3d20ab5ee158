// Names of a workspace's limits on pages.
import type { LimitKey } from '../../../src/views/shapes/installation.ts'

export const limitNames: Readonly<Record<LimitKey, string>> = {
  rateLimit: 'Requests a minute, each key',
  workspaceRateLimit: 'Requests a minute, all keys together',
  agreements: 'Agreements',
  series: 'Series, own and followed',
  keys: 'Live API keys',
  vintages: 'Vintages of own series',
  people: 'People',
  uploads: 'Files read at the same time',
  prices: 'Items in price lists, and quantities',
  lines: 'Kept invoice lines',
}
