// F7: every kind of bad answer from every connector, alone and all at once, with the stand-in in its own
// process, so that the measured memory and event loop are those of ingest.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { providerNames } from '../../src/core/series/series.ts'
import { openApplication } from '../../src/storage/postgres/database.ts'
import { allIn, BadAnswers } from '../ingest/bad-answers.ts'
import { type Misbehaviour, misbehaviourKinds } from '../stand-in/misbehaviour.ts'
import { StandInProcess } from '../stand-in/process.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { type Outcome, scenario } from '../support/run/long-test.ts'
import { type FolderGround, inFolder } from './grounds.ts'

/** During a longer pause a server in the same process would not have answered anybody. */
const longestPauseMs = 1_000
/** For the whole process: fifteen answers at once, one of them of the largest size. */
const mostMb = 450

/** The rounds are kinds of bad answers; each is tried by all connectors at once and by one alone. */
async function tryBadProviders(ground: FolderGround, { rounds, say }: LongRun): Promise<Outcome> {
  const standIn = await StandInProcess.start({ at: '2026-11-10', slowMs: 30_000 })
  const sql = openApplication(ground.target)
  const answers = await BadAnswers.open({ owner: ground.owner, sql, target: ground.target }, standIn)
  const failures: string[] = []
  let pauseMs = 0
  let peakMb = 0
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1024 / 1024)
  }, 20)
  const kinds = misbehaviourKinds.slice(0, rounds)
  try {
    for (const [at, kind] of kinds.entries()) {
      const delays = monitorEventLoopDelay({ resolution: 10 })
      delays.enable()
      failures.push(...(await answers.try(allIn(kind, providerNames))))
      failures.push(...(await answers.try(allIn(kind, [providerNames[at % providerNames.length]!]))))
      delays.disable()
      const longestMs = delays.max / 1e6
      pauseMs = Math.max(pauseMs, longestMs)
      if (longestMs > longestPauseMs) failures.push(`${kind}: nothing else ran for ${Math.ceil(longestMs)} ms`)
      say(line(kind, longestMs, peakMb))
    }
    failures.push(...(await answers.checkPeace()))
    const trapped = await standIn.trapped()
    if (trapped > 0) failures.push(`${trapped} requests followed a redirect off the host`)
  } finally {
    clearInterval(watch)
    await answers.close()
    await standIn.stop()
    await sql.end({ timeout: 5 })
  }
  if (peakMb > mostMb) failures.push(`memory rose to ${Math.ceil(peakMb)} MB`)
  const calm = `the longest pause ${Math.ceil(pauseMs)} ms, the peak ${Math.ceil(peakMb)} MB`
  return { summary: `${kinds.length} kinds by ${providerNames.length} connectors, ${calm}`, failures }
}

function line(kind: Misbehaviour, longestMs: number, peakMb: number): string {
  return `${kind}: the longest pause ${Math.ceil(longestMs)} ms, ${Math.ceil(peakMb)} MB so far`
}

scenario(
  'bad-providers',
  'F7: every kind of bad answer from every connector, all at once and one alone; the rounds are kinds',
  { long: misbehaviourKinds.length },
  run => inFolder(ground => tryBadProviders(ground, run)),
)
