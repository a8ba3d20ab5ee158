// A house for stories that change nothing in it: all such files of a process share one, which is closed with the process.
import { afterAll, test } from 'vitest'
import { type House, openHouse } from './house.ts'

const reading = test.extend<{ readonly house: House }>({
  house: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what is needed.
    async ({}, use) => {
      const house = await openHouse()
      await use(house)
      await house.close()
    },
    { scope: 'worker' },
  ],
})

/** For the top of a file, whose windows are closed at its end. */
export function shareHouse(use: (house: House) => unknown): void {
  let shared: House | null = null
  reading.beforeAll(async ({ house }) => {
    shared = house
    await use(house)
  })
  afterAll(() => shared?.closeWindows())
}
