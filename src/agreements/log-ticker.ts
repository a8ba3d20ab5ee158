// Timer that lets the public log grow while a server runs: at most once a minute, by whichever of several processes comes first.
import { logLimits } from '../storage/proof/log-limits.ts'
import type { PublicLog } from '../storage/proof/public-log.ts'

interface LogTicker {
  /** Finishes what is under way. */
  stop(): Promise<void>
}

export function startLogTicker(log: PublicLog): LogTicker {
  const { firstMs, everyMs } = logLimits
  let underWay: Promise<void> = Promise.resolve()
  let timer = setTimeout(tick, firstMs)
  timer.unref()
  let isStopped = false
  function tick(): void {
    underWay = log.advance(null, everyMs).then(
      () => {},
      error => log.report(`the public log did not grow: ${error.message}`),
    )
    void underWay.then(() => {
      if (isStopped) return
      timer = setTimeout(tick, everyMs)
      timer.unref()
    })
  }
  return {
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      return underWay
    },
  }
}
