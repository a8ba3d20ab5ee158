// Asking the server for something: whether an answer is awaited, and what went wrong the last time.
import { useState } from 'react'

export function useRequest() {
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  /** Does it; what it throws is kept to be shown. Says whether it went well. */
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
