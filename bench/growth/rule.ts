// Whether a cost grows faster with size than it should. A cost is taken to grow as size to some power; the power between the
// smallest and the largest size is compared with what the row allows. Small costs are noise and count as the floor.

export interface GrowthRow {
  readonly name: string
  readonly unit: 'ms' | 'bytes'
  /** Flat: the same for every size. Linear: proportional to size. */
  readonly should: 'flat' | 'linear'
  readonly sizes: readonly number[]
  /** Of the fastest turn: anything above it is the work of others on the same machine. */
  readonly costs: readonly number[]
  /** What the largest may cost at most, whatever the smallest costs. */
  readonly most?: number
}

/** A tenfold size may double what should be flat, and cost up to fourteen times as much where it should be linear. */
export const mostPower = { flat: 0.3, linear: 1.15 } as const
export const floor = { ms: 10, bytes: 100 } as const

/** The power of size that the cost grows with; 0 if there is only one size. */
export function powerOf({ sizes, costs, unit }: GrowthRow): number {
  const counted = costs.map(cost => Math.max(cost, floor[unit]))
  const [first, last] = [counted[0]!, counted.at(-1)!]
  return sizes.length < 2 ? 0 : Math.log(last / first) / Math.log(sizes.at(-1)! / sizes[0]!)
}

/** What is wrong with a row, in a sentence; null where it grows as it should. */
export function judge(row: GrowthRow): string | null {
  const { name, should, costs, most, unit } = row
  const power = powerOf(row)
  if (power > mostPower[should])
    return `${name}: grows with size to the power of ${power.toFixed(2)}, and ${mostPower[should]} is allowed (${should})`
  if (most !== undefined && costs.at(-1)! > most)
    return `${name}: ${costs.at(-1)!.toFixed(1)} ${unit} at the largest size, and ${most} ${unit} are allowed`
  return null
}

export interface ProcessesRow {
  readonly processes: number
  /** Requests a second of all of them together. */
  readonly rate: number
  /** Processor time of the servers and Redis for one request, in microseconds. */
  readonly cpuMicros: number
}

/** The rate should not fall when processes are added, and a request should not take more work for them. */
export const leastOfOne = 0.8
export const mostCpuOfOne = 1.25

export function judgeProcesses(name: string, rows: readonly ProcessesRow[]): readonly string[] {
  const one = rows[0]!
  return rows.slice(1).flatMap(({ processes, rate, cpuMicros }) => {
    const ofRate = rate / one.rate
    const ofCpu = cpuMicros / one.cpuMicros
    return [
      ...(ofRate < leastOfOne
        ? [
            `${name}: ${processes} processes answer ${ofRate.toFixed(2)} of what one does, and ${leastOfOne} is the least`,
          ]
        : []),
      ...(ofCpu > mostCpuOfOne
        ? [`${name}: with ${processes} processes a request takes ${ofCpu.toFixed(2)} times the processor time of one`]
        : []),
    ]
  })
}
