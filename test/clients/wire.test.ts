// The types of the TypeScript client are those of the descriptions: they cannot drift, because the file that is committed is
// compared with what is written from them now.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeWire } from '../../clients/typescript/build/wire.ts'
import { Assize } from '../../clients/typescript/src/assize.ts'
import { routes } from '../../clients/typescript/src/wire.ts'

const source = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the types of the client are what the descriptions say; `npm run client` writes them again', () => {
  expect(source('clients/typescript/src/wire.ts')).toBe(writeWire())
})

test('the client has a call for every route, and both packages have one version', () => {
  const calls = ['assize', 'follow', 'sync'].map(name => source(`clients/typescript/src/${name}.ts`)).join('\n')
  // Receipts are asked for by their address, because they are kept as text.
  const asText = ['getReceipt', 'showCorrectionReceipt']
  expect(Object.keys(routes).filter(name => !asText.includes(name) && !calls.includes(`'${name}'`))).toEqual([])
  const version = (path: string) => (JSON.parse(source(path)) as { version: string }).version
  expect(version('clients/typescript/package.json')).toBe(version('package.json'))
})

test('address and key are taken from the environment where none are given', () => {
  expect(() => new Assize()).toThrow('the address of the server is needed')
  Object.assign(process.env, { ASSIZE_URL: 'https://assize.test', ASSIZE_KEY: 'asz_live_x' })
  try {
    expect(() => new Assize()).not.toThrow()
  } finally {
    delete process.env.ASSIZE_URL
    delete process.env.ASSIZE_KEY
  }
})
