// Reading of a file in a worker while its page waits: lines with the progress, and the result as the last one.
import { Refusal } from '../../../core/refusal.ts'
import { limits } from '../../../limits.ts'
import type { UploadProgress } from '../../../views/shapes/series.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import type { JobLength } from '../../../workers/pool.ts'
import { LineQueue } from './line-queue.ts'
import { ConsoleAnswer, type ConsoleParts } from './route.ts'
import type { UploadedFile } from './upload-file.ts'

interface FileJob {
  readonly seat: Seat
  readonly request: { readonly mode: string }
}

interface Reading<J extends FileJob, End> {
  /** Refuses a faulty file before it is read. */
  readonly makeJob: (file: UploadedFile) => J
  readonly lengthOf: (job: J, bytes: number) => JobLength
  /** Result for a problem that the caller can fix; any other error fails as a whole. */
  readonly failed: (message: string) => End
}

export function tellReading<End extends object, J extends FileJob>(
  parts: ConsoleParts,
  file: UploadedFile,
  reading: Reading<J, End>,
): ConsoleAnswer<UploadProgress | End> {
  const lines = new LineQueue<UploadProgress | End>()
  // Runs on its own from here; only the lines show its progress.
  readInWorker(parts, file, reading, lines)
    .finally(() => file.remove())
    .then(
      line => {
        lines.push(line)
        lines.end()
      },
      error => lines.fail(error),
    )
  return new ConsoleAnswer({ lines })
}

async function readInWorker<End, J extends FileJob>(
  { fileReading, catchUp }: ConsoleParts,
  file: UploadedFile,
  { makeJob, lengthOf, failed }: Reading<J, End>,
  lines: LineQueue<UploadProgress | End>,
): Promise<End> {
  const job = makeJob(file)
  const { workspace, person } = job.seat
  const tell = (progress: unknown) => {
    clearInterval(waiting)
    if (lines.isAbandoned) running.abandon()
    else lines.push(progress as UploadProgress)
  }
  // Lines until the reading begins, so that a page sees that it waits, and a page that is gone is noticed.
  const waiting = setInterval(() => {
    if (lines.isAbandoned) running.abandon()
    else lines.push({ stage: 'waiting', rows: 0 })
  }, limits.uploadProgress.silentMs)
  const owner = { workspace: workspace.id, person: person.id }
  const running = fileReading!.run<End>(owner, job, { tell, length: lengthOf(job, file.bytes) })
  try {
    const result = await running.result
    if (job.request.mode === 'import') await catchUp()
    return result
  } catch (error) {
    if (!(error instanceof Refusal) || ['unavailable', 'too-large', 'forbidden'].includes(error.kind)) throw error
    return failed(error.message)
  } finally {
    clearInterval(waiting)
  }
}
