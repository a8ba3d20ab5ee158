// Follows a series: the provider is asked while the person waits, then the page of the series opens.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { FollowRequest } from '../../../../src/views/calls/series-calls.ts'
import { api } from '../../../api.ts'
import { useWorkspace } from '../../../session.ts'

export function useFollow() {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const mutation = useMutation({
    mutationFn: (request: FollowRequest) => api.post(path('/series/follow'), request),
    onSuccess: async ({ id }) => {
      // Lists, searches and the overview show it when they are opened next.
      await queries.invalidateQueries({ queryKey: ['w', slug], refetchType: 'none' })
      await navigate({ to: '/w/$ws/series/$id', params: { ws: slug, id } })
    },
  })
  return {
    follow: mutation.mutate,
    /** Code that is being requested. */
    asking: mutation.isPending ? mutation.variables : null,
    /** Code that could not be followed, to try again. */
    failed: mutation.isError ? mutation.variables : null,
    error: mutation.error,
    forget: mutation.reset,
  }
}

/** Seconds since something started, while it is running. */
export function useSeconds(isRunning: boolean): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    setSeconds(0)
    if (!isRunning) return
    const timer = setInterval(() => setSeconds(count => count + 1), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return seconds
}
