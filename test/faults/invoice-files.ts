// Mutated electronic invoices: every damaged document is read without an exception and without delay, gives either lines or
// problems of the form, and every figure of a line is in the document.
import type { InvoiceLine } from '../../src/core/invoices/invoice-line.ts'
import { readInvoiceXml } from '../../src/import/invoice-lines.ts'
import type { MutationOptions, MutationOutcome } from '../providers/mutation.ts'
import { type Mutator, mutators } from '../providers/mutators.ts'
import { ciiInvoice, type Specimen, ublCreditNote, ublInvoice } from '../support/files/invoice-specimens.ts'
import { Chance } from './chance.ts'

const rich: Specimen = {
  contract: 'FA-2024-17',
  order: 'PO-9',
  period: ['2024-05-01', '2024-05-31'],
  lines: [
    { id: '1', quantity: '100', unit: 'H87', amount: '1273.00', price: '12.73', seller: 'BR-100', buyer: 'B 17' },
    { id: '2', quantity: '-12.500', unit: 'KGM', amount: '-159.13', price: '1273.00', base: '100', seller: 'BR-200' },
    { id: '3', quantity: '4', unit: 'H87', amount: '45.92', price: '12.73', allowances: ['10.00', '-5.00'] },
    { id: '4', quantity: '0', amount: '7.77', period: ['2024-04-01', '2024-04-30'] },
  ],
}

export const specimens: readonly string[] = [
  ublInvoice(rich),
  ublCreditNote(rich),
  ciiInvoice(rich),
  ciiInvoice({ ...rich, typeCode: '381' }),
]

const tagPattern = /<\/?[A-Za-z][^<>]*>/g

/** Ways to damage markup. */
const markupMutators: readonly Mutator[] = [
  (xml, chance) => replaceOne(xml, tagPattern, chance, () => ''),
  (xml, chance) => replaceOne(xml, tagPattern, chance, tag => tag.repeat(chance.int(2, 2000))),
  (xml, chance) =>
    replaceOne(xml, tagPattern, chance, tag => tag.replace(/[a-z]+:/, chance.pick(['', 'x:', 'cbc:', 'ram:']))),
  (xml, chance) => replaceOne(xml, tagPattern, chance, tag => tag.replace(/[A-Z][A-Za-z]+/, () => chance.pick(names))),
  (xml, chance) => replaceOne(xml, />[^<>]+</g, chance, text => `>${chance.pick(texts)}${text.slice(1)}`),
  (xml, chance) => replaceOne(xml, />[^<>]+</g, chance, () => `>${chance.pick(texts)}<`),
  (xml, chance) => replaceOne(xml, /"[^"]*"/g, chance, () => `"${chance.pick(texts)}"`),
  // A whole element once more, or somewhere else.
  (xml, chance) => replaceOne(xml, /<([a-z]+:[A-Za-z]+)[^<>]*>[^<>]*<\/\1>/g, chance, element => element + element),
  (xml, chance) => {
    const found = [...xml.matchAll(/<([a-z]+:[A-Za-z]+)[^<>]*>[^<>]*<\/\1>/g)]
    if (found.length === 0) return xml
    const element = chance.pick(found)[0]
    return replaceOne(xml, /(?<=>)(?=<)/g, chance, () => element)
  },
]

const names = [
  'ID',
  'Invoice',
  'InvoiceLine',
  'Price',
  'PriceAmount',
  'LineID',
  'ChargeAmount',
  'AllowanceCharge',
  'Amount',
] as const
const texts = [
  '',
  ' ',
  '-',
  '1e9',
  'NaN',
  '1,5',
  '.5',
  '5.',
  '٣',
  '--1',
  '2024-02-30',
  '20240510',
  'true',
  '&amp;',
  '&#48;',
  '&#0;',
  '&lol;',
  '<![CDATA[7]]>',
  '<!-- 9 -->',
  '<?x y?>',
  '<!DOCTYPE a>',
  '<a/>',
  ']]>',
  '\u0000',
  '\uFFFE',
  '9'.repeat(80),
] as const

function replaceOne(xml: string, pattern: RegExp, chance: Chance, replace: (match: string) => string): string {
  const found = [...xml.matchAll(pattern)]
  if (found.length === 0) return xml
  const match = chance.pick(found)
  return xml.slice(0, match.index) + replace(match[0]) + xml.slice(match.index + match[0].length)
}

export function mutateInvoices({ count, seed, onMutation }: MutationOptions): MutationOutcome {
  const all = [...mutators, ...markupMutators, ...markupMutators]
  const failures: string[] = []
  let figures = 0
  for (let at = 0; at < count && failures.length < 20; at++) {
    onMutation?.(at)
    const chance = new Chance(seed + at * 7919)
    let xml = chance.pick(specimens)
    for (let times = chance.int(1, 3); times > 0 && xml !== ''; times--) xml = chance.pick(all)(xml, chance)
    const { found, words } = attempt(xml)
    figures += found
    if (words !== null) failures.push(`mutation ${at}: ${words}`)
  }
  return { mutations: count, figures, failures }
}

const mostLines = 10_000

function attempt(xml: string): { readonly found: number; readonly words: string | null } {
  try {
    const { lines, problems } = readInvoiceXml(xml, mostLines)
    if (lines.length > 0 === problems.length > 0) return { found: 0, words: 'lines and problems, or neither' }
    if (problems.some(({ message }) => message === '')) return { found: 0, words: 'a problem without words' }
    const fault = lines.map(line => faultOf(line, contentOf(xml))).find(each => each !== null) ?? null
    return { found: lines.reduce((sum, line) => sum + figuresOf(line).length, 0), words: fault }
  } catch (error) {
    const place = error instanceof Error ? `${error.message} ${error.stack?.split('\n')[1]}` : String(error)
    return { found: 0, words: `threw ${place}` }
  }
}

function figuresOf({ texts: { quantity, unitPrice, per, amount }, allowances, problems }: InvoiceLine): string[] {
  const bad = new Set(problems.map(({ field }) => field))
  const figures = [
    ...(bad.has('quantity') ? [] : [quantity]),
    ...(bad.has('unitPrice') ? [] : [unitPrice]),
    ...(bad.has('per') ? [] : [per]),
    // With allowances it is computed.
    ...(bad.has('amount') || allowances.length > 0 ? [] : [amount]),
  ]
  return figures.filter(figure => figure !== null && figure !== undefined)
}

/** The text of a document as a reader of XML sees it. */
function contentOf(xml: string): string {
  return xml
    .replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replaceAll('&#48;', '0')
}

/** A figure that is not in the document, with either sign, was made up. */
function faultOf(line: InvoiceLine, content: string): string | null {
  if (line.problems.some(({ message }) => message === '')) return 'a problem of a line without words'
  for (const figure of figuresOf(line)) {
    const digits = figure.replace(/^[+-]/, '')
    if (!/^\d+(?:\.\d+)?$/.test(digits)) return `"${figure}" is no decimal`
    // `.5` is read as 0.5.
    if (!content.includes(digits) && !content.includes(`${digits.replace(/^0(?=\.)/, '')}<`))
      return `${figure} does not stand in the document`
  }
  return null
}
