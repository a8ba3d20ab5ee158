// A real Redis for a test: on its own port, in memory only, ended by its id by the test that started it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Refuses if there is no redis-server on the machine. `more` are additional settings. */
export async function startRedis(
  port: number,
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder, ...more }
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const redis = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(redis, 'spawn')
  for await (const chunk of redis.stdout!) if (String(chunk).includes('Ready to accept connections')) break
  redis.stdout!.resume()
  return redis
}
