// A file that is dropped anywhere on a page of imported data, and opened by the page that reads it.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { ImportKind } from '../../../src/core/invoices/table-kinds.ts'
import { useWorkspace } from '../../session.ts'

/** A file cannot stand in an address. */
let handedOver: File | null = null

/** *Bring data in* opens with a file that is dropped on this page. */
export function useDropToBringIn(kind: ImportKind): void {
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  useEffect(() => {
    const accept = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault()
    }
    const open = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0]
      if (file === undefined) return
      event.preventDefault()
      handedOver = file
      void navigate({ to: '/w/$ws/bring-in', params: { ws: slug }, search: { kind } })
    }
    document.addEventListener('dragover', accept)
    document.addEventListener('drop', open)
    return () => {
      document.removeEventListener('dragover', accept)
      document.removeEventListener('drop', open)
    }
  }, [slug, kind, navigate])
}

/** Calls once with the file that another page has handed over, if one has. */
export function useHandedOver(choose: (file: File) => void): void {
  const chosen = useRef(choose)
  chosen.current = choose
  useEffect(() => {
    // The call comes later: in development an effect runs twice, and its end in between undoes the first run.
    const waiting = setTimeout(() => {
      const file = handedOver
      handedOver = null
      if (file !== null) chosen.current(file)
    })
    return () => clearTimeout(waiting)
  }, [])
}
