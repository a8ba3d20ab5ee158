// What scrolls keeps what is in it: a text for screen readers only has a place of its own, and unless the box that scrolls is
// what that place is counted from, it lies beside the box and makes the whole page wider than the screen.
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, test } from 'vitest'

const web = new URL('../../web/', import.meta.url)

test('every box that scrolls is what places inside it are counted from', async () => {
  const files = (await Array.fromAsync(glob('{*,{components,frame,offline,pages}/**/*}.css', { cwd: web }))).sort()
  const boxes = files.flatMap(file => {
    const text = readFileSync(new URL(file, web), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    return [...text.matchAll(/([^{};]+)\{([^{}]*)\}/g)]
      .filter(([, , rules]) => /overflow(-[xy])?: *(auto|scroll)/.test(rules!))
      .map(([, name, rules]) => ({ box: `${file} ${name!.trim()}`, rules: rules! }))
  })
  expect(boxes.length).toBeGreaterThan(15)
  expect(boxes.filter(({ rules }) => !/position: *(relative|sticky|absolute|fixed)/.test(rules))).toEqual([])
})
