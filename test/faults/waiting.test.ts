import { expect, test } from 'vitest'
import { Waiting } from './waiting.ts'

test('a wait in vain ends and says what was seen last', async () => {
  const waiting = new Waiting(new AbortController().signal, 20)
  await expect(waiting.until('a primary', async () => 'node1 replica')).rejects.toThrow(
    'not within 0.02 s: a primary; seen last: node1 replica',
  )
  await expect(waiting.until('an answer', () => Promise.reject(new Error('refused')))).rejects.toThrow(/last: refused$/)
  await waiting.until('what is so already', async () => true)
})

test('an interruption ends every wait', async () => {
  const stopping = new AbortController()
  const waiting = new Waiting(stopping.signal, 3_600_000)
  const waits = [waiting.sleep(3_600_000), waiting.until('nothing', async () => 'nothing')]
  stopping.abort(new Error('interrupted by SIGTERM'))
  for (const wait of waits) await expect(wait).rejects.toThrow('interrupted by SIGTERM')
})
