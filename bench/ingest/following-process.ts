// Follows the series named on its standard input, as `assize series follow` does, but without pauses: request limits of
// providers are not measured here. Prints as JSON how many were followed and the memory used.
import { text } from 'node:stream/consumers'
import { keepHeapSmall } from '../../src/cli/frame/heap.ts'
import { readConfig } from '../../src/config.ts'
import { follow } from '../../src/ingest/follow.ts'
import { openIngest } from '../../src/ingest/ingest-connections.ts'
import type { Pace } from '../../src/ingest/pace.ts'
import { Installation } from '../../src/storage/upkeep/installation.ts'

keepHeapSmall()
const { workspaceId, references } = JSON.parse(await text(process.stdin)) as {
  workspaceId: string
  references: string[]
}
const { config, mistakes } = readConfig(process.env)
if (config === null) throw new Error(mistakes.join('\n'))
const installation = await Installation.open({ ...config, connections: 4 })
const opened = openIngest(installation, config)
const pace: Pace = { take: async () => 0, pause: async () => {} }
const begun = performance.now()
const followed = await follow({ ...opened, asking: { ...opened.asking, pace } }, workspaceId, references)
const seconds = (performance.now() - begun) / 1000
const failed = followed.filter(({ follows }) => follows !== 'new')
if (failed.length > 0)
  throw new Error(`${failed.length} could not be followed, such as ${JSON.stringify(failed[0])?.slice(0, 500)}`)
await opened.close()
await installation.close()
process.stdout.write(`${JSON.stringify({ seconds, peakMb: process.resourceUsage().maxRSS / 1024 })}\n`)
