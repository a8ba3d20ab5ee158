// The state of a file that is brought in: chosen, sent, read, shown, imported; or failed, with the file still chosen.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ImportEnd } from '../../../src/views/shapes/imports.ts'
import type { UploadProgress } from '../../../src/views/shapes/series.ts'
import { ApiFailure } from '../../api.ts'
import { useWorkspace } from '../../session.ts'
import { sendFile } from './request.ts'
import { type FileReading, type ImportMode, importQuery, isReadableName } from './said.ts'

export type ImportState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly mode: ImportMode; readonly bytes: number; readonly of: number }
  | { readonly kind: 'reading'; readonly mode: ImportMode; readonly progress: UploadProgress }
  | { readonly kind: 'read'; readonly end: ImportEnd }
  | { readonly kind: 'failed'; readonly mode: ImportMode; readonly failure: ApiFailure }

export interface Importing {
  readonly state: ImportState
  readonly start: (file: File, mode: ImportMode, said: FileReading) => void
  /** Goes back a step: the result no longer matches the settings. */
  readonly reset: () => void
}

export function useImport(): Importing {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const [state, setState] = useState<ImportState>({ kind: 'waiting' })
  const leave = useRef<AbortController | null>(null)
  useEffect(() => () => leave.current?.abort(), [])

  const reset = () => {
    leave.current?.abort()
    setState({ kind: 'waiting' })
  }
  const start = (file: File, mode: ImportMode, said: FileReading) => {
    leave.current?.abort()
    const own = new AbortController()
    leave.current = own
    const show = (next: ImportState) => {
      if (leave.current === own) setState(next)
    }
    if (!isReadableName(file.name)) return show({ kind: 'failed', mode, failure: wrongKind(file.name) })
    show({ kind: 'sending', mode, bytes: 0, of: file.size })
    const watch = {
      sent: (bytes: number, of: number) => show({ kind: 'sending', mode, bytes, of }),
      read: (progress: UploadProgress) => show({ kind: 'reading', mode, progress }),
    }
    const address = path('/import', importQuery(file.name, mode, said))
    sendFile(address, file, mode, watch, own.signal).then(
      end => {
        show({ kind: 'read', end })
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
    `“${name}” is not a CSV, XLSX, JSON or XML file. Save the table as one of them and choose that file; nothing was sent.`,
  )
}

function asFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure(0, 'The file could not be sent. Try again.')
}
