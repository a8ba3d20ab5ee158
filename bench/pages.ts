// What people at the pages wait for: the calls of the pages in the largest workspace there may be, and pages that show much
// in a real Chromium. Each beside a base that is measured in the same run: the same call in a small workspace, the same
// page of the demo.
import { closeBrowser } from '../test/browser/chromium.ts'
import { mostBlockedMs } from './pages/blocked-thread.ts'
import { measureCalls } from './pages/calls.ts'
import { measureFrames } from './pages/frames.ts'
import { measurePortfolio, mostColdMs, mostWarmMs } from './pages/portfolio.ts'
import { printTable } from './table.ts'

export async function benchPages(): Promise<void> {
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))
  const times = (value: number, base: number) => (value / base).toFixed(1)
  const calls = await measureCalls(say)
  printTable(
    ['a call of a page', 'base ms', 'ms', 'times', 'base blocks ms', 'blocks ms', 'aim'],
    calls.map(({ name, base, large }) => [
      name,
      ms(base.ms),
      ms(large.ms),
      times(large.ms, base.ms),
      ms(base.blockedMs),
      ms(large.blockedMs),
      `≤ ${mostBlockedMs}`,
    ]),
  )
  const portfolio = await measurePortfolio(say)
  printTable(
    ['500 agreements', 'first ms', 'complete ms', 'aim', 'warm ms', 'aim'],
    portfolio.map(({ name, firstMs, completeMs, warmMs }) => [
      name,
      ms(firstMs),
      ms(completeMs),
      `≤ ${mostColdMs}`,
      ms(warmMs),
      `≤ ${mostWarmMs}`,
    ]),
  )
  try {
    const frames = await measureFrames(say)
    printTable(
      ['in Chromium', 'base ms', 'ms', 'times', 'aim'],
      frames.map(({ name, baseMs, largeMs, mostMs }) => [
        name,
        ms(baseMs),
        ms(largeMs),
        times(largeMs, baseMs),
        `≤ ${mostMs}`,
      ]),
    )
  } finally {
    await closeBrowser()
  }
}
