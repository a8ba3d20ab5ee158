import { createServer, type RequestOptions, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bytesOf } from '../frame/answer.ts'
import { readBody } from './body.ts'

let server: Server

beforeAll(async () => {
  server = createServer(async (req, res) => {
    const read = await readBody(req, { mostBytes: 10, types: ['application/json'] })
    if ('status' in read) res.writeHead(read.status).end(bytesOf(read))
    else res.end(`${req.method} ${read.type} ${Buffer.from(read.bytes).toString()}`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise(resolve => server.close(resolve)))

function ask(body: string, headers: RequestOptions['headers'], method = 'QUERY'): Promise<string> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const req = request({ port, method, headers }, res => {
      let text = `${res.statusCode} `
      res.on('data', chunk => {
        text += chunk
      })
      res.once('end', () => resolve(text))
    })
    req.once('error', reject)
    req.end(body)
  })
}

const json = { 'content-type': 'application/json; charset=utf-8' }

describe('the body of a request', () => {
  test('is read with QUERY and POST', async () => {
    expect(await ask('{"a":1}', json)).toBe('200 QUERY application/json {"a":1}')
    expect(await ask('{"a":1}', json, 'POST')).toBe('200 POST application/json {"a":1}')
  })

  test('is refused by its length, declared or actual', async () => {
    expect(await ask('{"a":12345}', json)).toBe('413 {"error":"at most 10 bytes are accepted here"}')
    expect(await ask('{"a":12345}', { ...json, 'transfer-encoding': 'chunked' })).toMatch(/^413 /)
  })

  test('is refused with another type', async () => {
    expect(await ask('{}', { 'content-type': 'text/html' })).toMatch(/^415 .*got text\/html/)
    expect(await ask('{}', {})).toMatch(/^415 .*got none/)
    expect(await ask('{}', { 'content-type': 'application/json; charset="ISO-8859-1"' })).toMatch(/^415 .*iso-8859-1/)
    expect(await ask('{}', { ...json, 'content-encoding': 'gzip' })).toMatch(/^415 .*content-encoding/)
  })
})
