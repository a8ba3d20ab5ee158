import { describe, expect, test } from 'vitest'
import { type Invocation, printJson, printJsonList, terminalOn } from './command.ts'

function collecting(isSlow = false, isTerminal = false) {
  const written: string[] = []
  let drains = 0
  const terminal = terminalOn({
    out: (text: string) => void written.push(text),
    err: () => {},
    isTerminal,
    columns: 80,
    env: {},
    drained: async () => {
      if (isSlow) drains++
    },
  })
  const invocation: Invocation = { positionals: [], options: {}, json: true, terminal }
  return { invocation, text: () => written.join(''), writes: () => written.length, drains: () => drains }
}

describe('what is printed', () => {
  test('has a line for each that was given, and no sign that nobody sees', () => {
    const { invocation, text } = collecting()
    invocation.terminal.out(['a\nb\n', ['', 'c\u001b[8m\u2028\u202e']])
    expect(text()).toBe('a\\u{a}b\n\nc\\u{1b}[8m\\u{2028}\\u{202e}\n')
  })

  test('is the bytes of a file, unless it is a screen that shows it', () => {
    const file = 'a;b\n\u009b\n'
    const [piped, shown] = [collecting(), collecting(false, true)]
    piped.invocation.terminal.file(file)
    shown.invocation.terminal.file(file)
    expect([piped.text(), shown.text()]).toEqual([file, 'a;b\n\\u{9b}\n'])
  })

  test('as JSON has the same value in escapes of its own', () => {
    const { invocation, text } = collecting()
    const value = { name: '\u0085\u2029\u200b\u{e0041}ü\n' }
    printJson(invocation, value)
    expect(text()).toBe('{\n  "name": "\\u0085\\u2029\\u200b\\udb40\\udc41ü\\n"\n}\n')
    expect(JSON.parse(text())).toEqual(value)
  })
})

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
        await printJsonList(one.invocation, data, () => rest)
        printJson(other.invocation, { data, ...rest })
        expect(one.text()).toBe(other.text())
      }
  })

  test('leaves in few writes, and waits for a slow reader', async () => {
    const { invocation, writes, drains } = collecting(true)
    const data = Array.from({ length: 5_000 }, (_, i) => ({ line: `${i}`, text: 'x'.repeat(40) }))
    await printJsonList(invocation, data, () => ({}))
    expect(writes()).toBeLessThan(20)
    expect(drains()).toBeGreaterThan(3)
  })
})
