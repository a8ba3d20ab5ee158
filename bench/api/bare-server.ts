// The bare rival: node:http sends ready bytes and does nothing else. It keeps the bodies of all addresses of a route and sends
// one after the other, whatever the address: below `/2` those of the third route, below `/b` of the twelfth.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const routes = (JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as string[][]).map(bodies =>
  bodies.map(body => Buffer.from(body)),
)
let count = 0

const server = createServer((req, res) => {
  const bodies = routes[Number.parseInt(req.url![1]!, 36)]!
  const body = bodies[(count++ * 7919) % bodies.length]!
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  res.end(body)
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.on('SIGTERM', () => process.exit(0))
