// HAProxy in front of the first servers of a list, one port for each number of them; started by us, ended by its id.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/run/redis.ts'

interface Haproxy {
  /** The port in front of so many servers. */
  portOf(count: number): number
  readonly pid: number
  stop(): Promise<void>
}

/** A server that answers `/ready` with another status than 200 gets no requests. */
function configuration(ports: readonly number[], fronts: ReadonlyMap<number, number>): string {
  const listens = [...fronts].map(
    ([count, port]) => `
listen of-${count}
  bind 127.0.0.1:${port}
  balance roundrobin
  option httpchk GET /ready
${ports
  .slice(0, count)
  .map((server, i) => `  server s${i + 1} 127.0.0.1:${server} check inter 1s`)
  .join('\n')}`,
  )
  return `
global
  nbthread 1
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
${listens.join('\n')}
`
}

export async function startHaproxy(servers: readonly number[], counts: readonly number[]): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-haproxy-'))
  const fronts = new Map<number, number>()
  for (const count of counts) fronts.set(count, await freePort())
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configuration(servers, fronts))
  const child = spawn('haproxy', ['-db', '-q', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const missing = once(child, 'error').then(() => {
    throw new Error('haproxy is missing: apt-get install -y haproxy')
  })
  await Promise.race([once(child, 'spawn'), missing])
  missing.catch(() => {})
  for (const port of fronts.values()) await untilReady(child, port)
  return {
    portOf: count => fronts.get(count)!,
    pid: child.pid!,
    async stop() {
      const left = once(child, 'exit')
      child.kill('SIGTERM')
      await left
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null || tries === 300) throw new Error('haproxy did not come up')
    const status = await new Promise<number>(resolve => {
      const asked = request({ host: '127.0.0.1', port, path: '/ready' }, reply => {
        reply.resume()
        resolve(reply.statusCode!)
      })
      asked.once('error', () => resolve(0))
      asked.end()
    })
    if (status === 200) return
    await sleep(50)
  }
}
