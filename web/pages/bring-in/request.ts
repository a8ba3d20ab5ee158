// Sends a file, and tells the sent and the read part, and the result; or the reason why there is none.
import type { ImportEnd } from '../../../src/views/shapes/imports.ts'
import type { UploadProgress } from '../../../src/views/shapes/series.ts'
import { ApiFailure, endSession } from '../../api.ts'
import type { Address } from '../../calls.ts'
import { type ImportMode, LineReader } from './said.ts'

interface UploadWatch {
  readonly sent: (bytes: number, of: number) => void
  readonly read: (progress: UploadProgress) => void
}

const lostWords: Readonly<Record<ImportMode, string>> = {
  look: 'The connection was lost before the file was read. Nothing was imported; the file is still chosen.',
  preview: 'The connection was lost before the file was read. Nothing was imported; the file is still chosen.',
  import:
    'The connection was lost before the answer came, so the file may or may not be imported. Try again: a row that was imported counts as unchanged.',
}

export function sendFile(
  address: Address<'/w/:workspace/import'>,
  file: File,
  mode: ImportMode,
  watch: UploadWatch,
  signal: AbortSignal,
): Promise<ImportEnd> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const lines = new LineReader()
    let result: ImportEnd | null = null
    let failure: ApiFailure | null = null
    const takeLines = () => {
      if (request.status !== 200) return
      for (const line of lines.read(request.responseText))
        if ('error' in line) failure = new ApiFailure(503, line.error)
        else if (line.stage === 'done' || line.stage === 'look' || line.stage === 'refused') result = line
        else watch.read(line)
    }
    const lost = () => reject(new ApiFailure(0, lostWords[mode]))
    request.upload.onprogress = ({ loaded, total }) => watch.sent(loaded, total)
    request.onprogress = takeLines
    request.onerror = lost
    request.onload = () => {
      takeLines()
      if (request.status !== 200) reject(failureFrom(request))
      else if (failure !== null) reject(failure)
      else if (result !== null) resolve(result)
      else lost()
    }
    signal.addEventListener('abort', () => request.abort())
    request.open('POST', `/console${address}`)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.send(file)
  })
}

function failureFrom({ status, responseText }: XMLHttpRequest): ApiFailure {
  if (status === 401) endSession()
  try {
    const { error } = JSON.parse(responseText) as { error?: unknown }
    if (typeof error === 'string') return new ApiFailure(status, error)
  } catch {
    // An unreadable answer is not our server's: something in between replied.
  }
  return new ApiFailure(status, 'The server gave an answer that cannot be read. Try again in a moment.')
}
