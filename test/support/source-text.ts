// Source files as text, for the rules of the house: what is code in them, and what they import.
export interface SourceFile {
  /** From the project's root, with slashes. */
  readonly path: string
  readonly text: string
  /** `codeOf` its text. */
  readonly code: () => string
}

/** What is code in it is looked for once, for the first rule that asks. */
export function sourceFile(path: string, text: string): SourceFile {
  let found: string | undefined
  const code = () => {
    found ??= codeOf(text)
    return found
  }
  return { path, text, code }
}

/** What a rule finds, one sentence each. */
export type Rule = (file: SourceFile) => string[]

export const isTest = (path: string) => path.endsWith('.test.ts') || path.startsWith('test/')
export const isCode = (path: string) => /\.tsx?$/.test(path)
export const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length

export function findAll(text: string, pattern: RegExp, what: string): string[] {
  return [...text.matchAll(pattern)].map(match => `line ${lineOf(text, match.index)}: ${what} (${match[0].trim()})`)
}

/** The text with comments, strings and regular expressions blanked out, line by line as long as before. */
export function codeOf(text: string): string {
  const literal =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<=[(,=:[!&|?{};\n]\s*|return\s)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/g
  const blank = (found: string) => found.replace(/[^\n]/g, ' ')
  return blankTemplates(text.replace(literal, blank))
}

/** Blanks the words of template literals and keeps what is inside their `${…}`. */
function blankTemplates(text: string): string {
  let result = ''
  const depths: number[] = []
  let inWords = false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (inWords) {
      if (character === '\\') {
        result += '  '
        at++
      } else if (character === '`') {
        inWords = false
        result += ' '
      } else if (character === '$' && text[at + 1] === '{') {
        depths.push(depth)
        depth = 0
        inWords = false
        result += '  '
        at++
      } else result += character === '\n' ? '\n' : ' '
      continue
    }
    if (character === '`') inWords = true
    if (character === '{') depth++
    if (character === '}' && depth === 0 && depths.length > 0) {
      depth = depths.pop()!
      inWords = true
    } else if (character === '}') depth--
    result += character === '`' || inWords ? ' ' : character
  }
  return result
}

interface Import {
  readonly target: string
  readonly typeOnly: boolean
  readonly at: number
}

export function importsOf(text: string): Import[] {
  const pattern = /^(?:import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm
  return [...text.matchAll(pattern)].map(match => ({
    target: (match[2] ?? match[3] ?? match[4])!,
    typeOnly: match[1] !== undefined,
    at: match.index,
  }))
}
