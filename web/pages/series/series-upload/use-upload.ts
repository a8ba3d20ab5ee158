// The state of an upload: chosen, sent, read, shown, imported; or failed, with the file still chosen.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { UploadLook, UploadProgress, UploadResult } from '../../../../src/views/shapes/series.ts'
import { ApiFailure } from '../../../api.ts'
import { useWorkspace } from '../../../session.ts'
import { isReadableName, type Reading, type UploadMode, uploadQuery } from './lines.ts'
import { sendFile } from './request.ts'

export type UploadState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly mode: UploadMode; readonly bytes: number; readonly of: number }
  | { readonly kind: 'reading'; readonly mode: UploadMode; readonly progress: UploadProgress }
  | { readonly kind: 'look'; readonly look: UploadLook }
  | { readonly kind: 'read'; readonly result: UploadResult }
  | { readonly kind: 'failed'; readonly mode: UploadMode; readonly failure: ApiFailure }

export interface Upload {
  readonly state: UploadState
  readonly start: (file: File, mode: UploadMode, reading: Reading) => void
  /** Goes back a step: the result no longer matches the settings. */
  readonly reset: () => void
}

export function useUpload(): Upload {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const [state, setState] = useState<UploadState>({ kind: 'waiting' })
  const leave = useRef<AbortController | null>(null)
  useEffect(() => () => leave.current?.abort(), [])

  const reset = () => {
    leave.current?.abort()
    setState({ kind: 'waiting' })
  }
  const start = (file: File, mode: UploadMode, reading: Reading) => {
    leave.current?.abort()
    const own = new AbortController()
    leave.current = own
    const show = (next: UploadState) => {
      if (leave.current === own) setState(next)
    }
    if (!isReadableName(file.name)) return show({ kind: 'failed', mode, failure: wrongKind(file.name) })
    show({ kind: 'sending', mode, bytes: 0, of: file.size })
    const watch = {
      sent: (bytes: number, of: number) => show({ kind: 'sending', mode, bytes, of }),
      read: (progress: UploadProgress) => show({ kind: 'reading', mode, progress }),
    }
    const address = path('/series/upload', uploadQuery(file.name, mode, reading))
    sendFile(address, file, mode, watch, own.signal).then(
      result => {
        show(result.stage === 'look' ? { kind: 'look', look: result } : { kind: 'read', result })
        if (mode === 'import') void queries.invalidateQueries({ queryKey: ['w', slug] })
      },
      error => show({ kind: 'failed', mode, failure: asFailure(error) }),
    )
  }
  return { state, start, reset }
}

function wrongKind(name: string): ApiFailure {
  return new ApiFailure(
    422,
    `“${name}” is not a CSV, XLSX or JSON file. Save the table as one of them and choose that file; nothing was sent.`,
  )
}

function asFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure(0, 'The file could not be sent. Try again.')
}
