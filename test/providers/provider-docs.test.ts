import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { providerNames } from '../../src/core/series/series.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'

const root = new URL('../../', import.meta.url)

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}

const fileOf = (name: string) => name.toLowerCase().replaceAll('_', '-')
const sources = readdirSync(new URL('src/providers/', root)).filter(name => name.endsWith('.ts'))
const source = sources.map(name => read(`src/providers/${name}`)).join('\n')
const overview = read('docs/providers/README.md')

describe.each(providerNames)('the page of %s', name => {
  const provider = providers[name]
  const page = read(`docs/providers/${fileOf(name)}.md`)
  const words = page.replace(/\s+/g, ' ')

  test('says how to follow a series, and the provider accepts its codes', () => {
    const followed = /^assize series follow (\S+) --workspace W$/m.exec(page)?.[1] ?? ''
    expect(followed.startsWith(`${name}/`)).toBe(true)
    const codes = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(match => match[1]!)
    expect(codes).toContain(followed)
    for (const code of codes) {
      const query = { from: null, changedSince: null, today: 20_000, key: null }
      expect(() => provider.request({ ...query, codes: [code.slice(name.length + 1)] })).not.toThrow()
    }
  })

  test('names the key and the terms', () => {
    expect(page.includes(`ASSIZE_KEY_${name}`)).toBe(provider.key !== 'none')
    expect(words).toContain(provider.terms)
  })

  test('lists every quirk that the code names', () => {
    const named = new Set([...source.matchAll(new RegExp(`\\b${name}-\\d+`, 'g'))].map(match => match[0]))
    const listed = new Set([...page.matchAll(new RegExp(`\\*\\*(${name}-\\d+)\\*\\*`, 'g'))].map(match => match[1]!))
    expect([...named].filter(quirk => !listed.has(quirk))).toEqual([])
    expect(listed.size).toBeGreaterThan(7)
  })

  test('is listed in the table of all providers', () => {
    const { requestsPerMinute } = provider.limits
    const row = overview.split('\n').find(line => line.startsWith(`| [${name}](${fileOf(name)}.md) |`)) ?? ''
    expect(row).toContain(`| ${provider.key} | ${requestsPerMinute} a minute`)
  })
})
