// Signs the request that somebody went to their identity provider for, once they are back on the page they left, and tells the
// result.
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { VisitOutcome } from '../../../src/views/shapes/inbox.ts'
import { api } from '../../api.ts'
import { useWorkspace } from '../../session.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { LoadingRows, Trouble } from '../page/page.tsx'
import classes from './sign-panel.module.css'
import { forgetVisit, rememberedVisit } from './visit.ts'

export function VisitReturn() {
  const [id, setId] = useState(rememberedVisit)
  return id === null ? null : <Outcome id={id} close={() => setId(null)} />
}

function Outcome({ id, close }: { readonly id: string; readonly close: () => void }) {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const { data: outcome = null, error } = useQuery({
    queryKey: ['visit', id],
    // Signed once, however often this is drawn.
    queryFn: async () => {
      forgetVisit()
      const signed = await api.post(path('/sign-offs/visits/:id/sign', { id }), {})
      void queries.invalidateQueries({ queryKey: ['w', slug] })
      return signed
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const title = outcome === null ? (error === null ? 'Signing' : 'Nothing was signed') : titleOf(outcome)
  return (
    <Dialog onClose={close} title={title} size={520}>
      <div className={classes.dialog}>
        {error !== null && <Trouble error={error} />}
        {error === null && outcome === null && <LoadingRows rows={2} />}
        {outcome !== null && <Told outcome={outcome} />}
        <div className={classes.actions}>
          <Button onClick={close} data-autofocus>
            Close
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function titleOf({ signed, refused }: VisitOutcome): string {
  if (signed === 0) return 'Nothing was signed'
  return refused.length === 0 ? 'Signed' : `${signed} of ${signed + refused.length} signed`
}

function Told({ outcome: { signed, refused } }: { readonly outcome: VisitOutcome }) {
  return (
    <>
      {signed > 0 && (
        <p>
          {refused.length === 0 ? 'Everything is signed' : `${signed} signatures are made`}: your identity provider
          confirms it. Once the token of the provider has expired, receipts and evidence contain the proof; until then
          they say that it follows.
        </p>
      )}
      {refused.length > 0 && (
        <ul>
          {refused.map(({ name, why }) => (
            <li key={`${name} ${why}`}>
              {name}: {why}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
