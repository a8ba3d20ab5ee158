// Reads what would be signed, with the hashes that stand for it, a few agreements at a time.
import { useEffect, useState } from 'react'
import type { AgreementToSign, CorrectionRow, RefusedAgreement } from '../../../../src/views/shapes/inbox.ts'
import { api } from '../../../api.ts'
import { useWorkspace } from '../../../session.ts'
import type { Selection } from './selection.ts'

export interface AskedToSign {
  readonly agreements: readonly AgreementToSign[]
  readonly corrections: readonly CorrectionRow[]
  /** What cannot be signed now. */
  readonly refused: readonly RefusedAgreement[]
  /** How many agreements were read, of how many. */
  readonly read: number
  readonly wanted: number
  readonly error: unknown
}

/** The limit on the server. */
const atOnce = 25

export function useToSign(selection: Selection): AskedToSign {
  const { path } = useWorkspace()
  // What was selected when the dialog opened: it shows that and nothing else.
  const [selected] = useState(() => [...selection.values()])
  const corrections = selected.flatMap(({ row }) => (row.kind === 'correction' ? [row] : []))
  const [wanted] = useState(() =>
    selected.flatMap(({ row, count }) =>
      row.kind === 'periods' ? [{ slug: row.slug, through: row.periods[count - 1]!.period }] : [],
    ),
  )
  const [found, setFound] = useState<Pick<AskedToSign, 'agreements' | 'refused' | 'read' | 'error'>>({
    agreements: [],
    refused: [],
    read: 0,
    error: null,
  })
  useEffect(() => {
    let isLeft = false
    const readAll = async () => {
      for (let from = 0; from < wanted.length && !isLeft; from += atOnce) {
        const some = wanted.slice(from, from + atOnce)
        const { agreements, refused } = await api.post(path('/sign-offs/to-sign'), { agreements: some })
        if (isLeft) return
        setFound(before => ({
          agreements: [...before.agreements, ...agreements],
          refused: [...before.refused, ...refused],
          read: before.read + some.length,
          error: null,
        }))
      }
    }
    readAll().catch(error => setFound(before => ({ ...before, error })))
    return () => {
      isLeft = true
      setFound({ agreements: [], refused: [], read: 0, error: null })
    }
  }, [wanted, path])
  return { ...found, corrections, wanted: wanted.length }
}
