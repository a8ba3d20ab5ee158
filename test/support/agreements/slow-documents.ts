// Documents that are written to be slow: each is within every limit of the language and would keep an evaluator that
// charges too little busy for minutes. What they compute does not matter.

/** Sixty digits, so that every product is long. */
const longDecimal = `1.${'0123456789'.repeat(6).slice(0, 58)}7`

export interface SlowDocument {
  /** Where the work is. */
  readonly name: string
  readonly text: string
}

export interface SlowShape {
  readonly steps?: number
  readonly slug?: string
  readonly start?: string
}

function written(lines: readonly string[], { slug = 'slow', start = '1900-01-01' }: SlowShape): string {
  const steps = lines.map((expr, i) => `  - { name: s${i}, expr: "${expr}" }\n`).join('')
  return `slug: ${slug}
contract: { start: ${start}, frequency: MONTHLY }
params: { p: ${longDecimal}, q: -${longDecimal.replace('.', '')} }
steps:
${steps}result: { kind: FACTOR, step: s${lines.length - 1} }
`
}

function repeated(count: number, part: string, joint: string): string {
  return Array.from({ length: count }, () => part).join(joint)
}

/** Numbers of about 4,000, 32,000 and 40,000 bits. */
function growing(of: string): string[] {
  return [repeated(20, of, ' * '), repeated(8, 's0', ' * '), 's1 * s0 * s0']
}

export function slowDocuments(shape: SlowShape = {}): SlowDocument[] {
  const { steps = 100 } = shape
  const filled = (of: string, line: string, end: readonly string[] = []) =>
    written([...growing(of), ...Array.from({ length: steps }, () => line), ...end], shape)
  const rows = Array.from({ length: 1500 }, (_, i) => `{ below: ${i}, value: 1 }`).join(', ')
  return [
    {
      name: 'long numbers inside steps that end short',
      text: filled('p', `round(${repeated(60, 's1 * s2 - s2 * s1', ' + ')}, 2)`),
    },
    { name: 'negative numerators', text: filled('q', repeated(90, '-(s1 * s1)', ' + '), ['1']) },
    { name: 'comparisons of long numbers', text: filled('p', `round(max(${repeated(90, 's2, s1', ', ')}), 2)`) },
    { name: 'signs of long numbers', text: filled('p', `round(abs(${repeated(100, '-s2', ' + ')}), 2)`) },
    { name: 'roundings of long numbers', text: filled('p', repeated(70, 'round(s2 / s1, 30)', ' + ')) },
    { name: 'long numbers in every line of the receipt', text: filled('p', 's2', ['round(s2, 2)']) },
    {
      name: 'a long number that is carried on',
      text: written(['prev(s0, 1) * p', ...Array.from({ length: steps }, () => 's0 - s0 + 1'), '1'], shape),
    },
    {
      name: 'tables that are looked through',
      text: `${filled('p', repeated(80, 'lookup(t, s2)', ' + '))}tables: { t: [${rows}, { value: 2 }] }\n`,
    },
  ]
}
