// What a quiet workspace notices of a hostile one on the same server: how long its reads, saves and publications take
// alone and during each of the most harmful kinds of load. The same run as `npm run test:long -- neighbours`.
import { openFolderGround } from '../test/faults/grounds.ts'
import { liveBeside, percentile, quietActions } from '../test/faults/neighbours.ts'
import { printTable } from './table.ts'

/** The least time for each kind of load and for the quiet time before it. */
const seconds = 10

export async function benchNeighbours(): Promise<void> {
  const ground = await openFolderGround()
  try {
    const say = (line: string) => void process.stdout.write(`${line}\n`)
    const { rows, failures } = await liveBeside(ground, { rounds: seconds, say })
    const ms = (value: number) => `${value.toFixed(1)} ms`
    printTable(
      ['beside', 'action', 'alone p50', 'alone p99', 'beside p50', 'beside p99', 'slowest', 'p99 times', 'refused'],
      rows.flatMap(({ name, alone, beside }) =>
        quietActions.map(action => {
          const [before, now] = [alone.times[action], beside.times[action]]
          return [
            name,
            action,
            ms(percentile(before, 0.5)),
            ms(percentile(before, 0.99)),
            ms(percentile(now, 0.5)),
            ms(percentile(now, 0.99)),
            ms(Math.max(0, ...now)),
            (percentile(now, 0.99) / percentile(before, 0.99)).toFixed(1),
            String(beside.refused.filter(each => each.startsWith(`${action}:`)).length),
          ]
        }),
      ),
    )
    for (const failure of failures) process.stdout.write(`${failure}\n`)
  } finally {
    await ground.close()
  }
}
