// Counts of answers by route and status, with their durations. Counting costs a request next to nothing: plain numbers, turned into
// text only when the metrics are requested.

const bucketsMs = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000, 5_000] as const

class RouteCounts {
  readonly byStatus = new Map<number, number>()
  readonly buckets = new Float64Array(bucketsMs.length + 1)
  totalMs = 0
}

export class AnswerCounts {
  readonly #byRoute = new Map<string, RouteCounts>()

  /** `route` is as declared, never as requested: there are few of them. */
  count(route: string, status: number, ms: number): void {
    let counts = this.#byRoute.get(route)
    if (counts === undefined) {
      counts = new RouteCounts()
      this.#byRoute.set(route, counts)
    }
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1)
    let place = 0
    while (place < bucketsMs.length && ms > bucketsMs[place]!) place++
    counts.buckets[place]!++
    counts.totalMs += ms
  }

  /** Text in the form of Prometheus. */
  text(): string {
    const requests = 'assize_requests_total'
    const seconds = 'assize_request_seconds'
    const lines = [`# HELP ${requests} Answers by route, status and its class`, `# TYPE ${requests} counter`]
    for (const [route, { byStatus }] of this.#byRoute)
      for (const [status, count] of byStatus)
        lines.push(`${requests}{route="${route}",class="${Math.floor(status / 100)}xx",status="${status}"} ${count}`)
    lines.push(`# HELP ${seconds} Time from the request line to the answer`, `# TYPE ${seconds} histogram`)
    for (const [route, { buckets, totalMs }] of this.#byRoute) {
      let total = 0
      buckets.forEach((count, i) => {
        total += count
        const edge = bucketsMs[i]
        lines.push(`${seconds}_bucket{route="${route}",le="${edge === undefined ? '+Inf' : edge / 1000}"} ${total}`)
      })
      lines.push(`${seconds}_sum{route="${route}"} ${totalMs / 1000}`, `${seconds}_count{route="${route}"} ${total}`)
    }
    return `${lines.join('\n')}\n`
  }
}
