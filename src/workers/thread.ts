// Inside a thread of a pool: runs one job after the other and reports the result.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { Refusal } from '../core/refusal.ts'
import { traced } from '../tracing/spans.ts'
import type { FromThread, ThreadFailure, ToThread } from './message.ts'

export interface JobWatch {
  readonly tell: (progress: unknown) => void
  readonly isAbandoned: () => boolean
}

export function serveJobs(
  work: (task: unknown, watch: JobWatch) => Promise<unknown>,
  troubleOf: (error: unknown) => string | null = () => null,
): void {
  giveWay()
  const port = parentPort!
  const say = (message: FromThread, handedOver: ArrayBuffer[] = []) => port.postMessage(message, handedOver)
  let isAbandoned = false
  port.on('message', (message: ToThread) => {
    if (message.kind === 'abandon') {
      isAbandoned = true
      return
    }
    isAbandoned = false
    const watch: JobWatch = {
      tell: progress => say({ kind: 'progress', progress }),
      isAbandoned: () => isAbandoned,
    }
    const { task, trace: carrier } = message
    traced({ name: 'worker', kind: 'consumer', carrier }, () => work(task, watch)).then(
      value => say({ kind: 'done', value }, ownMemoryOf(value)),
      (error: unknown) => say({ kind: 'failed', failure: { ...failureOf(error), trouble: troubleOf(error) } }),
    )
  })
  say({ kind: 'ready' })
}

/** Memory of bytes that fill it alone, which is handed over: copying a long answer would hold waiting callers. */
function ownMemoryOf(value: unknown): ArrayBuffer[] {
  const { bytes } = (value ?? {}) as { readonly bytes?: unknown }
  if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) return []
  return bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : []
}

/**
 * Long work gives way to short answers where there are few processors. Linux has a priority for each thread; elsewhere it
 * would be that of the whole process.
 */
function giveWay(): void {
  if (process.platform === 'linux') setPriority(niceness)
}

const niceness = 5

function failureOf(error: unknown): Omit<ThreadFailure, 'trouble'> {
  const { name, message, stack = null } = error instanceof Error ? error : new Error(String(error))
  return { refusal: error instanceof Refusal ? error.kind : null, name, message, stack, code: codeOf(error) }
}

function codeOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : null
}
