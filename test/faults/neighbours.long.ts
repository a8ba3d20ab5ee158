import { scenario } from '../support/run/long-test.ts'
import { inFolder } from './grounds.ts'
import { liveBeside } from './neighbours.ts'

scenario(
  'neighbours',
  'F18: a quiet workspace next to one that imports, lists, uploads and previews; the rounds are seconds for each',
  { long: 10 },
  run =>
    inFolder(async ground => {
      const { rows, failures } = await liveBeside(ground, run)
      return { summary: `${rows.length} kinds of noise`, failures }
    }),
)
