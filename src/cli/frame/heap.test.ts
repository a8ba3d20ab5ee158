import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { runWords } from '../program.ts'

const heap = new URL('./heap.ts', import.meta.url).href

function runInOwnProcess(script: string): { readonly stdout: string; readonly stderr: string } {
  const options = ['--trace-gc', '--input-type=module', '-e', script]
  return spawnSync(process.execPath, options, { encoding: 'utf8' })
}

describe('the heap', () => {
  test('of a command that goes through files is collected more often, by a flag that this V8 knows', () => {
    // Every object lives until 300,000 others were created: long enough to count as old.
    const work = `
      const held = Array.from({ length: 300_000 }, () => ({}))
      for (let i = 0; i < 6_000_000; i++) held[(i * 7919) % 300_000] = { text: 'x' + i, more: [i] }`
    const collections = (first: string) =>
      runInOwnProcess(`${first}\n${work}`).stdout.match(/Mark-Compact/g)?.length ?? 0
    const small = `(await import('${heap}')).keepHeapSmall()`
    expect(runInOwnProcess(small).stderr).toBe('')
    expect(collections(small)).toBeGreaterThan(collections(''))
  })

  test.each([
    ['import nowhere.csv --workspace w', ['small']],
    ['invoice check nowhere.csv --workspace w', ['smallest']],
    ['pam check nowhere.yaml', []],
  ])('is fitted to what the process does: %s', async (line, wanted) => {
    const fitted: string[] = []
    const written = () => {}
    const terminal = { out: written, err: written, isTerminal: false, columns: 100, env: {} }
    expect(await runWords(line.split(' '), { ...terminal, fitHeap: size => fitted.push(size) })).toBe(1)
    expect(fitted).toEqual(wanted)
  })
})
