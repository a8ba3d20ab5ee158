// The short form of the full disk of docs/SECURITY.md: the same run as `npm run faults`, once.
import { expect, test } from 'vitest'
import { fillDisk, mountSmallDisk } from './disk-full.ts'

const quiet = { say: () => {} }

test('F6: on a full disk an import fails cleanly, reads continue, and with space again the file is imported completely', async context => {
  const disk = await mountSmallDisk()
  if ('refused' in disk) {
    process.stderr.write(`F6 is not tried here, for no small disk can be mounted: ${disk.refused}\n`)
    return context.skip()
  }
  try {
    const { failures, refused, asked } = await fillDisk(disk.folder, { rounds: 1, seed: 6, ...quiet })
    expect(failures).toEqual([])
    expect([refused, asked > 20]).toEqual([1, true])
  } finally {
    await disk.remove()
  }
})
