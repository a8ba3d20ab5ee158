import { expect } from 'vitest'
import { scenario } from '../support/run/long-test.ts'
import { fillDisk, mountSmallDisk } from './disk-full.ts'

scenario(
  'disk-full',
  'F6: on a full disk an import fails cleanly, reads continue, and with space again the file is imported completely',
  { short: 1, long: 20, seed: 6 },
  async (run, context) => {
    const disk = await mountSmallDisk()
    if ('refused' in disk) {
      const failure = `no small disk can be mounted: ${disk.refused}`
      if (!run.isTimed) context.skip(failure)
      return { summary: 'not run', failures: [failure] }
    }
    try {
      const { failures, asked, unavailable, refused, taken, falls } = await fillDisk(disk.folder, run)
      expect(asked).toBeGreaterThan(20)
      if (!run.isTimed) expect(refused).toBe(1)
      const reads = `${asked} asked meanwhile, ${unavailable} times 503, the database fell ${falls} times`
      return { summary: `${refused} imports found no room, ${taken} did; ${reads}`, failures }
    } finally {
      await disk.remove()
    }
  },
)
