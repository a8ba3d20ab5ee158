// Sends a request: tells whether an answer is pending, and the last trouble.
import { useState } from 'react'

export function useRequest() {
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  /** Runs the work and keeps an error so that it can be shown. Returns whether the work succeeded. */
  const ask = async (work: () => Promise<unknown>): Promise<boolean> => {
    setPending(true)
    setError(null)
    try {
      await work()
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setPending(false)
    }
  }
  return { error, isPending, ask }
}
