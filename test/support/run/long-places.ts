// The places at which tests run less in `npm test` than in a long form, read from their calls (long-form.ts, long-test.ts).
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface LongPlace {
  readonly form: string
  readonly what: string
  /** As the code has them; the words are for what is no number. */
  readonly short: string
  readonly long: string
  readonly file: string
  /** Whether it is a test of its own, named by what it runs. */
  readonly isScenario: boolean
  /** Whether it closes what it opened when it is interrupted. */
  readonly isStoppable: boolean
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface Call extends Node {
  readonly callee: { readonly name?: string }
  readonly arguments: readonly Node[]
}

type Amounts = readonly [short: string, long: string]

/** How much each kind of call runs, from the texts of its arguments after the first two. */
const amountsOf: Readonly<Record<string, (more: readonly string[]) => Amounts>> = {
  roundsOf: ([short, long]) => [short!, long!],
  someOf: ([, share]) => [`1 in ${member(share!, 'oneIn')}`, 'all'],
  scenario: ([amounts]) => [member(amounts!, 'short') ?? 'not run', member(amounts!, 'long')!],
  longTest: () => ['not run', 'run'],
  onlyLong: () => ['not done', 'done'],
}

/** In the order of the files and of their lines. */
export function longPlaces(): readonly LongPlace[] {
  return globSync(['test/**/*.ts', 'src/**/*.test.ts'], { cwd: root, exclude: ['test/support/run/*'] })
    .sort()
    .flatMap(file => placesIn(file, readFileSync(`${root}/${file}`, 'utf8')))
}

function placesIn(file: string, text: string): LongPlace[] {
  if (!/from '.*\/long-(?:form|test)\.ts'/.test(text)) return []
  return [...callsIn(parseSync(file, text).program)].map(({ callee, arguments: words }) => {
    const [form, what, ...more] = words.map(({ start, end }) => text.slice(start, end))
    if (!/^'[a-z-]+'$/.test(form!) || !/^['"`]/.test(what!))
      throw new Error(`${file}: ${callee.name}(${form}, …) names its long form and what it runs in words`)
    const [short, long] = amountsOf[callee.name!]!(more)
    const isScenario = callee.name === 'scenario'
    const isStoppable = isScenario && more[0]!.includes('isStoppable: true')
    return { form: form!.slice(1, -1), what: what!.slice(1, -1), short, long, file, isScenario, isStoppable }
  })
}

function* callsIn(node: unknown): Generator<Call> {
  if (typeof node !== 'object' || node === null) return
  const { type, callee } = node as Call
  if (type === 'CallExpression' && Object.hasOwn(amountsOf, callee.name ?? '')) yield node as Call
  for (const part of Object.values(node)) yield* callsIn(part)
}

/** The text of one member of an object literal. */
function member(literal: string, name: string): string | undefined {
  return new RegExp(`\\b${name}: ([^,}]+?)\\s*[,}]`).exec(literal)?.[1]
}
