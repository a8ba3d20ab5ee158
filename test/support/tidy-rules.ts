// Rules over source files that no linter has: each takes a file and says what is wrong in it. They only look at text, so
// that a sample can be as small as the mistake it shows.
import { posix } from 'node:path'
import { findAll, importsOf, isCode, isTest, lineOf, type Rule, type SourceFile } from './source-text.ts'

const impure: readonly (readonly [RegExp, string])[] = [
  [/\bDate\b/g, 'a clock'],
  [/\bMath\.(?:random|round|fround|sqrt|pow|log\w*|exp)\b/g, 'chance or floats'],
  [/\b(?:process|globalThis|performance|console|crypto|fetch|setTimeout|setInterval|Buffer)\b/g, 'the outside world'],
  [/\b(?:parseFloat|toFixed|toPrecision)\b/g, 'a float'],
  [/\bNumber\(/g, 'a float'],
  [/(?<![\w.])\d[\d_]*\.\d|(?<![\w.])\d+e[-+]?\d/g, 'a float'],
]

/** Pure themselves. */
const pureLibraries = ['yaml', '@noble/hashes/hmac.js', '@noble/hashes/sha2.js', '@noble/hashes/utils.js']

/** Core is pure: no I/O, clock, environment, chance or float. */
export const coreIsPure: Rule = ({ path, text, code }) => {
  if (!path.startsWith('src/core/') || isTest(path)) return []
  const foreign = importsOf(text)
    .filter(({ target }) => !target.startsWith('.') && !pureLibraries.includes(target))
    .map(({ target, at }) => `line ${lineOf(text, at)}: core imports ${target}`)
  return [...foreign, ...impure.flatMap(([pattern, what]) => findAll(code(), pattern, what))]
}

/** Ways to a connection other than that of the transaction. */
const otherConnections =
  /(?<![\w.])(?:this\.#)?sql\b|\.sql\b|\blibrary\.|\.#library\b|\bthis\.(?:index|readers|series|agreement|agreements|data|gather)\(|\b(?:withWorkspace|readAndCatchUp|catchUp|catchUpTo|isPublicSettled)\(|\.snapshot\(/g

/**
 * What runs inside a transaction (a function with a parameter `tx`) asks for no other connection: a few that do so at once
 * wait for each other.
 */
export const transactionsAskForNothingElse: Rule = file => {
  const { path } = file
  if (!path.startsWith('src/') || !isCode(path) || isTest(path)) return []
  const code = file.code()
  const bodies = [...code.matchAll(/(?<=[(,]\s*)tx(?=\s*[:,)])|\btx(?=\s*=>)/g)].flatMap(({ index }) =>
    bodyAfter(code, index),
  )
  return bodies.flatMap(([from, to]) =>
    [...code.slice(from, to).matchAll(otherConnections)].map(
      match => `line ${lineOf(code, from + match.index)}: inside a transaction another connection (${match[0]})`,
    ),
  )
}

const opening = new Map([
  ['(', 1],
  ['[', 1],
  ['{', 1],
  [')', -1],
  [']', -1],
  ['}', -1],
])

/** Where the body of the function begins and ends that has a parameter at this place; none if it is no parameter. */
function bodyAfter(code: string, parameter: number): [from: number, to: number][] {
  let at = parameter
  if (!/^tx\s*=>/.test(code.slice(at, at + 40))) {
    at = endOfGroup(code, at) + 1
    // Up to two levels of angle brackets in the type that it returns.
    const after = /^\s*(?::\s*[^<>{}=;]*(?:<(?:[^<>]|<[^<>]*>)*>)?[^<>{}=;]*)?(?:=>|\{)/.exec(code.slice(at, at + 600))
    if (after === null) return []
    at += after[0].length
    if (after[0].endsWith('{')) return [[at, endOfGroup(code, at)]]
  } else at = code.indexOf('=>', at) + 2
  const from = at + /^\s*/.exec(code.slice(at))![0].length
  if (code[from] === '{') return [[from, endOfGroup(code, from + 1)]]
  return [[from, endOfExpression(code, from)]]
}

/** The bracket that closes what is open at this place. */
function endOfGroup(code: string, start: number): number {
  let depth = 1
  for (let at = start; at < code.length; at++) {
    depth += opening.get(code[at]!) ?? 0
    if (depth === 0) return at
  }
  return code.length
}

function endOfExpression(code: string, start: number): number {
  let depth = 0
  for (let at = start; at < code.length; at++) {
    const character = code[at]!
    depth += opening.get(character) ?? 0
    if (depth < 0 || (depth === 0 && /[,;]/.test(character))) return at
    if (depth === 0 && character === '\n' && !/^\s*[.?:&|]/.test(code.slice(at, at + 80))) return at
  }
  return code.length
}

/** Words that have another one in the glossary, as parts of names: where they may stand, and what is said instead. */
const otherWords: readonly (readonly [pattern: RegExp, instead: string, mayStand: RegExp])[] = [
  // On the wires and in file shapes an agreement is a `pam`: that alone is the name of such a field.
  [
    /\b\w*(?<=[a-z])Pams?(?![a-z])\w*|\bPam\w*|\bpam[A-Z]\w*/g,
    'Agreement',
    /^src\/http\/(?:v1|ext)\/|^clients\/typescript\/src\/wire\.ts$|^test\//,
  ],
  [/\b(?:Open|Seen)?Publication(?!Day)s?\b|\bPublicationKind\b|\bbeginPublication\b/g, 'Entry', /^test\//],
  [
    /\b(?:Formula(?:Row|Page|List|Standing|Digest|Sort|State|Status|Prices)|(?:open|list|show|use)Formulas?)\b/g,
    'Agreement',
    /^test\//,
  ],
]

/** Names in code keep to the words of the glossary. */
export const namesKeepToTheGlossary: Rule = ({ path, code }) => {
  if (!isCode(path)) return []
  return otherWords.flatMap(([pattern, instead, mayStand]) =>
    mayStand.test(path) || path.endsWith('.test.ts') ? [] : findAll(code(), pattern, `the word is ${instead}`),
  )
}

/** Words on pages keep to them too: text between tags, labels and titles. */
export const pagesKeepToTheGlossary: Rule = ({ path, text }) =>
  /^web\/.*\.tsx$/.test(path)
    ? findAll(
        text,
        /\bPAMs?\b|>\s*Formulas\s*<|(?:label|title)[:=]\s*["']Formulas["']|\/w\/\$ws\/formulas/g,
        'the word is agreement',
      )
    : []

const emptyWords = ['service', 'manager', 'helper', 'util', 'dto', 'impl']

/** No meaningless words in names, and no I before interfaces. */
export const namesSaySomething: Rule = ({ path, code }) => {
  if (!isCode(path)) return []
  const isEmpty = (word: string) => emptyWords.includes(word.toLowerCase().replace(/s$/, ''))
  const inPath = path
    .split(/[/.-]/)
    .filter(isEmpty)
    .map(word => `"${word}" in its name`)
  const exported = /^export (?:async )?(?:abstract )?(?:const|function|class|interface|type) (\w+)/gm
  const inExports = [...code().matchAll(exported)].flatMap(([, name]) => {
    const words = name!.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []
    if (words.some(isEmpty)) return [`exports ${name}`]
    return /^I[A-Z][a-z]/.test(name!) ? [`exports ${name}, with an I before it`] : []
  })
  return [...inPath, ...inExports]
}

/** No paths or hosts of a particular machine. */
export const noMachinePaths: Rule = ({ text }) =>
  findAll(
    text,
    /(?<![\w.~$}])\/(?:home|Users|root|work)\/[\w.-]+|\b[A-Z]:\\\\?(?:Users|Documents)\b/g,
    'a path of one machine',
  )

/** Broken links in Markdown files, given the existing paths. */
export function brokenLinks({ path, text }: SourceFile, exists: (path: string) => boolean): string[] {
  if (!path.endsWith('.md')) return []
  const prose = text.replace(/```[\s\S]*?```/g, fenced => fenced.replace(/[^\n]/g, ' ')).replace(/`[^`\n]*`/g, ' ')
  return [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s+(\S+)/gm)].flatMap(match => {
    const target = (match[1] ?? match[2])!
    if (/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(target)) return []
    const file = posix.join(posix.dirname(path), decodeURI(target.replace(/[#?].*$/, '')))
    return exists(file.replace(/\/$/, '')) ? [] : [`line ${lineOf(prose, match.index)}: ${target} leads nowhere`]
  })
}
