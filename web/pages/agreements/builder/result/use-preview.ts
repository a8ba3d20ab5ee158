// Live result: the effect of the document, requested a moment after it stopped changing. An outdated request is cancelled; the
// last good answer stays until the next one arrives.
import { useEffect, useRef, useState } from 'react'
import type { PreviewRequest } from '../../../../../src/views/calls/agreement-calls.ts'
import type { Preview } from '../../../../../src/views/shapes/agreements.ts'
import { api } from '../../../../api.ts'
import { useWorkspace } from '../../../../session.ts'

const quietMs = 150

export interface LivePreview {
  /** The answer for the newest text that has one. */
  readonly newest: Preview | null
  /** The newest answer without problems: its numbers are shown while a later text has some. */
  readonly lastGood: Preview | null
  /** The text `lastGood` belongs to. */
  readonly goodText: string
  readonly isPending: boolean
  readonly failure: unknown
  readonly again: () => void
}

export function usePreview(text: string, against: string | null): LivePreview {
  const { path } = useWorkspace()
  const address = path('/agreements/preview')
  const [newest, setNewest] = useState<Preview | null>(null)
  const [good, setGood] = useState<{ readonly preview: Preview; readonly text: string } | null>(null)
  const [isPending, setPending] = useState(true)
  const [failure, setFailure] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(0)
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt sends the same request again.
  useEffect(() => {
    const giveUp = new AbortController()
    const ask = async () => {
      const request: PreviewRequest = { text, against }
      try {
        const answer = await api.post(address, request, giveUp.signal)
        setNewest(answer)
        if (answer.problems.length === 0) setGood({ preview: answer, text })
        setFailure(null)
        setPending(false)
      } catch (error) {
        if (giveUp.signal.aborted) return
        setFailure(error)
        setPending(false)
      }
    }
    setPending(true)
    const timer = setTimeout(() => void ask(), isFirst.current ? 0 : quietMs)
    isFirst.current = false
    return () => {
      clearTimeout(timer)
      giveUp.abort()
    }
  }, [text, against, address, attempt])
  return {
    newest,
    lastGood: good?.preview ?? null,
    goodText: good?.text ?? '',
    isPending,
    failure,
    again: () => setAttempt(count => count + 1),
  }
}
