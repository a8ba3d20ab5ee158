// The stand-in as a separate process, for measurements of its client: configured by JSON on the command line, prints its
// address as one line of JSON, ends when its standard input ends.
import { illustrate } from './data/illustrative.ts'
import type { StandInChildOptions } from './process.ts'
import { startStandIn } from './stand-in.ts'

const { many, ...options } = JSON.parse(process.argv[2]!) as StandInChildOptions
const series = many?.flatMap(({ provider, codes, frequency, unit, firstDay }, group) =>
  codes.map((code, at) =>
    illustrate({
      provider,
      code,
      name: `Series ${at + 1}`,
      unit,
      frequency,
      seed: group * 1000 + at + 1,
      lastDay: '2026-12-31',
      ...(firstDay === undefined ? {} : { firstDay }),
    }),
  ),
)
const standIn = await startStandIn({ ...options, ...(series === undefined ? {} : { series }) })
process.stdout.write(`${JSON.stringify({ url: standIn.url, environment: standIn.environment })}\n`)
process.stdin.resume().once('end', () => void standIn.close())
