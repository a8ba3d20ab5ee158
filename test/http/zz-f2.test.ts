import { it } from 'vitest'
import { replayAnswers } from '../faults/as-of-replay.ts'
import { openApi } from '../support/api.ts'
import { openTestDatabase } from '../support/postgres.ts'
it('F2', async () => {
  const api = await openApi(await openTestDatabase())
  const t = performance.now()
  try { console.log(await replayAnswers(api, { rounds: 400, seed: 1, say: console.log })) }
  finally { console.log(performance.now() - t); await api.close() }
})
