// Held to the examples that Amazon publishes for Signature Version 4 of S3.
import { describe, expect, test } from 'vitest'
import { sha256Of, signRequest } from './signature.ts'

const credentials = {
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
}
const nowMs = Date.UTC(2013, 4, 24)
const host = 'examplebucket.s3.amazonaws.com'

function sign(request: Partial<Parameters<typeof signRequest>[0]>) {
  const usual = { method: 'GET', host, path: '/', query: {}, headers: {}, bodyHash: sha256Of('') }
  return signRequest({ ...usual, ...request }, credentials, 'us-east-1', nowMs)
}

const signatureOf = (request: Parameters<typeof sign>[0]) =>
  sign(request).headers.authorization!.replace(/.*Signature=/, '')

describe('the signature of a request', () => {
  test('is that of the published examples: an object read, written, and a bucket listed', () => {
    expect(signatureOf({ path: '/test.txt', headers: { range: 'bytes=0-9' } })).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
    const headers = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }
    const bodyHash = sha256Of('Welcome to Amazon S3.')
    expect(signatureOf({ method: 'PUT', path: '/test$file.text', headers, bodyHash })).toBe(
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    )
    expect(signatureOf({ query: { lifecycle: '' } })).toBe(
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    )
    expect(signatureOf({ query: { prefix: 'J', 'max-keys': '2' } })).toBe(
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    )
  })

  test('covers what is sent: every reserved sign is encoded in path and query', () => {
    expect(sign({ path: '/a b/(c)*', query: { 'x y': "it's+1/2" } }).target).toBe(
      '/a%20b/%28c%29%2A?x%20y=it%27s%2B1%2F2',
    )
  })
})
