import { describe, expect, test } from 'vitest'
import { type Invocation, writeJson, writeJsonList } from './command.ts'

function collecting(isSlow = false) {
  const written: string[] = []
  let drains = 0
  const terminal = {
    out: (text: string) => void written.push(text),
    err: () => {},
    isTerminal: false,
    columns: 80,
    env: {},
    drained: async () => {
      if (isSlow) drains++
    },
  }
  const invocation: Invocation = { positionals: [], options: {}, json: true, terminal }
  return { invocation, text: () => written.join(''), writes: () => written.length, drains: () => drains }
}

describe('a list written row by row', () => {
  test('is the text of the whole', async () => {
    const rows = [
      { a: 'x\ny', b: null },
      { a: '', b: [] },
      { a: 'ü', b: [{ c: '1' }] },
    ]
    for (const data of [[], rows.slice(0, 1), rows])
      for (const rest of [{}, { summary: { lines: data.length, over: {} } }]) {
        const [one, other] = [collecting(), collecting()]
        await writeJsonList(one.invocation, data, () => rest)
        writeJson(other.invocation, { data, ...rest })
        expect(one.text()).toBe(other.text())
      }
  })

  test('leaves in few writes, and waits for a slow reader', async () => {
    const { invocation, writes, drains } = collecting(true)
    const data = Array.from({ length: 5_000 }, (_, i) => ({ line: `${i}`, text: 'x'.repeat(40) }))
    await writeJsonList(invocation, data, () => ({}))
    expect(writes()).toBeLessThan(20)
    expect(drains()).toBeGreaterThan(3)
  })
})
