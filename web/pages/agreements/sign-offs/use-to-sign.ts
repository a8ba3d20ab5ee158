// Reads the things to sign, with the hashes that stand for them, a few agreements at a time.
import { useEffect, useRef, useState } from 'react'
import type { DatedTerms } from '../../../../src/views/shapes/agreements.ts'
import type { AgreementToSign, ChangeRow, CorrectionRow, RefusedAgreement } from '../../../../src/views/shapes/inbox.ts'
import { api } from '../../../api.ts'
import { useWorkspace } from '../../../session.ts'
import type { Selection } from './selection.ts'
import { groupsOf } from './signing-run.ts'

export interface AskedToSign {
  readonly agreements: readonly AgreementToSign[]
  readonly corrections: readonly CorrectionRow[]
  readonly changes: readonly ChangeRow[]
  readonly refused: readonly RefusedAgreement[]
  /** Terms for the invoice lines of all of them; null until one was read. */
  readonly datedTerms: DatedTerms | null
  /** Number of agreements read, and of all. */
  readonly read: number
  readonly wanted: number
  readonly error: unknown
}

type PeriodsToSign = Pick<AskedToSign, 'agreements' | 'refused' | 'datedTerms' | 'read' | 'error'>

const nothingFound: PeriodsToSign = { agreements: [], refused: [], datedTerms: null, read: 0, error: null }

export function useToSign(selection: Selection): AskedToSign {
  const workspace = useWorkspace()
  // Address of the first rendering, because reading begins once.
  const address = useRef(workspace.path('/sign-offs/to-sign')).current
  // Selection of the moment when the dialog opened: it shows that and nothing else.
  const [selected] = useState(() => [...selection.values()])
  const corrections = selected.flatMap(({ row }) => (row.kind === 'correction' ? [row] : []))
  const changes = selected.flatMap(({ row }) => (row.kind === 'change' ? [row] : []))
  const [wanted] = useState(() =>
    selected.flatMap(({ row, count }) =>
      row.kind === 'periods' ? [{ slug: row.slug, through: row.periods[count - 1]!.period, count }] : [],
    ),
  )
  const [found, setFound] = useState<PeriodsToSign>(nothingFound)
  useEffect(() => {
    let isLeft = false
    const readAll = async () => {
      for (const some of groupsOf(wanted, ({ count }) => count)) {
        const { agreements, refused, datedTerms } = await api.post(address, {
          agreements: some.map(({ slug, through }) => ({ slug, through })),
        })
        if (isLeft) return
        setFound(before => ({
          agreements: [...before.agreements, ...agreements],
          refused: [...before.refused, ...refused],
          datedTerms,
          read: before.read + some.length,
          error: null,
        }))
      }
    }
    readAll().catch(error => setFound(before => ({ ...before, error })))
    return () => {
      isLeft = true
      setFound(nothingFound)
    }
  }, [wanted, address])
  return { ...found, corrections, changes, wanted: wanted.length }
}
