// The bare rival: node:http sends ready bytes and does nothing else.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const bodies = (JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as { body: string }[]).map(({ body }) =>
  Buffer.from(body),
)

const server = createServer((req, res) => {
  const body = bodies[Number.parseInt(req.url!.slice(1, 2), 10)]!
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  res.end(body)
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.on('SIGTERM', () => process.exit(0))
