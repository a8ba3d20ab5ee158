// Page that an identity provider sends a person back to: its answer is sent on, and the person continues signed in. The answer is
// taken out of the address at once.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../../../api.ts'
import { Entry } from '../../../components/page/entry.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { LoadingRows, Trouble } from '../../../components/page/page.tsx'
import { rememberVisit } from '../../../components/signing/visit.ts'
import { sessionQuery } from '../../../session.ts'

export function CallbackPage() {
  const [query] = useState(() => location.search.slice(1))
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['sso-answer', query],
    queryFn: () => api.post('/sso/answer', { query }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  useEffect(() => history.replaceState(history.state, '', '/sso/callback'), [])
  useEffect(() => {
    if (data === undefined) return
    if (data.signing !== undefined) {
      rememberVisit(data.signing)
      location.replace(data.returnTo)
      return
    }
    queries.clear()
    queries.setQueryData(sessionQuery.queryKey, data.session)
    void navigate({ to: data.returnTo, replace: true })
  }, [data, navigate, queries])
  return (
    <Entry
      title={error === null ? 'Signing in' : 'You are not signed in'}
      foot={<TextLink to="/sign-in">Sign in</TextLink>}
    >
      {error === null ? <LoadingRows rows={2} /> : <Trouble error={error} />}
    </Entry>
  )
}
