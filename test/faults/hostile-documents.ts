// F17: documents that are made to be slow, previewed and saved by one workspace, while health and another workspace's
// answers are requested all the time: all of them come, the thread that gives them never does much of the work itself, and
// each document is refused or blocked with a sentence, or computed.
import { setTimeout as sleep } from 'node:timers/promises'
import { usualWork } from '../../src/core/numbers/work-budget.ts'
import type { Preview } from '../../src/views/shapes/agreements.ts'
import type { Failure } from '../../src/views/shapes/session.ts'
import { slowDocuments } from '../support/agreements/slow-documents.ts'
import { mostWorkInOneTurn } from '../support/counted-work.ts'
import type { Api, Tenant } from '../support/houses/api.ts'
import type { Browser, ConsoleReply } from '../support/houses/console.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'

/** Its own budget for each of the documents that come together, and what checking one takes. */
const mostUnits = 8 * usualWork.units

export interface Hostile {
  readonly api: Api
  readonly attacker: Browser
  readonly quiet: Tenant
  /** What the quiet workspace requests. */
  readonly path: string
}

export interface HostileOutcome {
  readonly failures: readonly string[]
  /** Of work in one turn of the main thread, at most. */
  readonly units: number
  /** How often the others were answered meanwhile. */
  readonly answered: number
  readonly refused: number
}

/** Several at once, as an attacker would. */
const together = 4

export async function sendHostileDocuments(
  { api, attacker, quiet, path }: Hostile,
  { rounds, seed, say }: LongRun,
): Promise<HostileOutcome> {
  const chance = new Chance(seed)
  const failures: string[] = []
  let refused = 0
  let isOver = false
  let units = 0
  const watching = watchOthers(api, quiet, path, () => isOver)
  for (let done = 0; done < rounds; done += together) {
    const texts = Array.from({ length: Math.min(together, rounds - done) }, () => drawDocument(chance))
    const { count, value: replies } = await mostWorkInOneTurn(() =>
      Promise.all(texts.map((text, i) => send(attacker, text, (done + i) % 5 === 4))),
    )
    units = Math.max(units, count)
    replies.forEach((reply, i) => {
      const why = whyNotBounded(reply)
      if (why !== null) failures.push(`${why}\n${texts[i]!.slice(0, 300)}`)
      if (reply.status !== 200 || (reply.json as Preview).entries.length === 0) refused++
    })
    if (done % 100 === 0) say(`${done} documents`)
  }
  isOver = true
  const others = await watching
  if (units > mostUnits) failures.push(`the main thread did ${Math.round(units)} units of work in one turn`)
  return { failures: [...failures, ...others.failures], units, answered: others.answered, refused }
}

function send(attacker: Browser, text: string, isSaved: boolean): Promise<ConsoleReply> {
  return isSaved
    ? attacker.post('/agreements', { text, basedOn: 0 })
    : attacker.post('/agreements/preview', { text, against: null })
}

async function watchOthers(api: Api, quiet: Tenant, path: string, isOver: () => boolean) {
  const failures: string[] = []
  let answered = 0
  while (!isOver()) {
    for (const ask of [() => api.ask('/v1/health'), () => quiet.get(path)]) {
      const { status, text } = await ask()
      if (status === 200) answered++
      else failures.push(`others got ${status} ${text}`)
    }
    await sleep(10)
  }
  return { failures, answered }
}

/** A saved document was affordable; a refusal says why; a full queue asks to try again. */
function whyNotBounded({ status, json, text }: ConsoleReply): string | null {
  if (status === 200 || status === 201) return null
  const { error } = (json ?? {}) as Partial<Failure>
  if ([409, 413, 422, 503].includes(status) && error !== undefined) return null
  return `${status} ${text.slice(0, 200)}`
}

const digits = '3141592653589793238462643383279502884197169399375105820974'

function drawDocument(chance: Chance): string {
  const steps = chance.int(5, 120)
  const start = `${chance.int(1900, 2024)}-01-01`
  const slug = `hostile-${chance.int(0, 1_000_000_000)}`
  if (chance.chance(40)) return chance.pick(slowDocuments({ steps, start, slug })).text
  if (chance.chance(20)) return drawTree(chance, slug)
  const lines = Array.from({ length: steps }, (_, i) => `  - { name: s${i}, expr: "${drawExpression(chance, i, 0)}" }`)
  return `slug: ${slug}
contract: { start: ${start}, frequency: ${chance.pick(['MONTHLY', 'QUARTERLY', 'ANNUAL'])} }
params: { p: 1.${digits}, q: -${digits}, r: -0.${digits} }
steps:
${lines.join('\n')}
result: { kind: FACTOR, step: s${steps - 1} }
`
}

/** Wide, deep, long and alternating. */
function drawExpression(chance: Chance, step: number, depth: number): string {
  const leaf = () =>
    step > 0 && chance.chance(70)
      ? `s${chance.int(Math.max(0, step - 3), step - 1)}`
      : chance.pick(['p', 'q', 'r', `prev(s${step}, p)`])
  const inner = () => (depth < 4 && chance.chance(35) ? drawExpression(chance, step, depth + 1) : leaf())
  const joined = (joint: string, most: number) =>
    Array.from({ length: chance.int(2, depth === 0 ? most : 4) }, inner).join(joint)
  const kind = chance.int(0, 5)
  if (kind === 0) return `round(${joined(' * ', 30)}, ${chance.int(0, 30)})`
  if (kind === 1) return `max(${joined(', ', 40)})`
  if (kind === 2) return `(${joined(' - ', 30)})`
  if (kind === 3) return `-(${joined(' * -', 20)})`
  if (kind === 4) return `if(${inner()} > ${inner()}, ${inner()}, ${inner()})`
  return `(${joined(' + ', 40)}) / (1 + abs(${inner()}))`
}

/** YAML that takes long to read. */
function drawTree(chance: Chance, slug: string): string {
  const count = chance.int(1_000, 18_000)
  const repeat = (piece: (i: number) => string) => Array.from({ length: count }, (_, i) => piece(i)).join('')
  return chance.pick([
    () => `slug: ${slug}\nparams:\n${repeat(i => `  p${i}: 1\n`)}`,
    () => `slug: ${slug}\nparams: {${repeat(i => `p${i}: 1, `)}}`,
    () => `slug: &a ${slug}\n${repeat(i => `k${i}: *a\n`)}`,
    () => `slug: ${slug}\ntables: { t: [${repeat(i => `{ below: ${i}, value: 1 }, `)}{ value: 2 }] }`,
    () => `slug: ${slug}\nsteps: ${'['.repeat(90)}${repeat(() => '1,')}${']'.repeat(90)}`,
    () => `slug: ${slug}\ndescription: "${repeat(() => '\\u0041')}"`,
    () => repeat(() => '- '),
  ])()
}
