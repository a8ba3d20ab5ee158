// When prices are adjusted and how long the contract runs, as contracts word it.
import { countOf, monthOf, patterns, twoDigits } from './numbers.ts'
import { type Fill, type Phrase, type Rule, rule, type Said } from './rule.ts'

type Frequency = 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'ANNUAL'

const frequencyWords: Readonly<Record<Frequency, string>> = {
  MONTHLY: 'every month',
  QUARTERLY: 'every quarter',
  SEMIANNUAL: 'every half-year',
  ANNUAL: 'every year',
}

const adjusted =
  '(?:(?:is|are|shall be|will be|wird|werden) )?(?:adjusted|revised|reviewed|indexed|recalculated|updated|angepasst|überprüft|neu berechnet)'
const often: readonly (readonly [Frequency, string])[] = [
  [
    'SEMIANNUAL',
    'half-?yearly|semi-?annual(?:ly)?|every six months|every half-?year|twice a year|halbjährlich|alle sechs monate',
  ],
  [
    'QUARTERLY',
    'quarterly|every quarter|each quarter|every three months|once a quarter|vierteljährlich|quartalsweise|jedes quartal|einmal (?:im|pro|je) quartal',
  ],
  ['MONTHLY', 'monthly|every month|each month|once a month|monatlich|jeden monat'],
  [
    'ANNUAL',
    'annual(?:ly)?|yearly|every year|each year|once a year|once per year|every twelve months|jährlich|jedes jahr|einmal (?:im|pro|je) jahr',
  ],
]

const said = (fills: readonly Fill[], words: string): Said => ({ fills, words })
const every = (frequency: Frequency): Fill => ({ path: 'contract.frequency', value: frequency })

/** `1 January 2024`, `January 1st, 2024`, `01.01.2024`, `2024-01-01` → `2024-01-01`; null for a day that is none. */
export function dayOf(text: string): string | null {
  const year = /(?:19|20)\d\d(?=$|-)/u.exec(text)?.[0] ?? ''
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/u.exec(text)
  const day = iso === null ? yeardayOf(text.replace(new RegExp(`,?\\s*${year}$`, 'u'), '')) : `${iso[2]}-${iso[3]}`
  return day === null ? null : `${year}-${day}`
}

/** `1 January`, `January 1st`, `1. Januar`, `01.01.` → `01-01`. */
function yeardayOf(text: string): string | null {
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.?$/u.exec(text.trim())
  const month =
    dotted === null ? monthOf(new RegExp(patterns.month, 'iu').exec(text)?.[0] ?? '') : twoDigits(dotted[2]!)
  const day = twoDigits(dotted?.[1] ?? /\d{1,2}/u.exec(text)?.[0] ?? '')
  const isDay = month >= '01' && month <= '12' && day >= '01' && day <= '31'
  return isDay ? `${month}-${day}` : null
}

/** Days of the year that are equally far apart, as a frequency with its first one. */
function onDays(texts: readonly string[]): Said | string {
  const days = texts.map(yeardayOf)
  if (days.some(day => day === null)) return 'it names a day that is none'
  const [first, ...rest] = [...new Set(days as readonly string[])].sort()
  const found = ({ 1: 'ANNUAL', 2: 'SEMIANNUAL', 4: 'QUARTERLY', 12: 'MONTHLY' } as const)[rest.length + 1]
  const step = 12 / (rest.length + 1)
  const isEven = rest.every(
    (day, i) =>
      day.slice(3) === first!.slice(3) && Number(day.slice(0, 2)) === Number(first!.slice(0, 2)) + step * (i + 1),
  )
  if (found === undefined || !isEven) return 'the adjustment dates are not equally far apart'
  const value = `each ${[first, ...rest].join(' ')}`
  return said(
    [every(found), { path: 'contract.firstAdjustment', value }],
    `adjusted ${frequencyWords[found]}, on ${[first, ...rest].join(', ')}`,
  )
}

const ofYear =
  '(?:(?:of|in) (?:each|every)(?: calendar| contract)? year|each year|every year|annually|yearly|eines jeden (?:kalender|vertrags)?jahres|jeden jahres|eines jeden jahres|jedes jahres|jedes (?:kalender)?jahr|jährlich)'
const day = '(?:the |dem |den )?{yearday}'
const onThe =
  '(?:on|as of|as from|with effect from|effective|zum|am|jeweils zum|jeweils am|mit wirkung zum|mit wirkung ab|mit wirkung vom)'
const daysIn = ({ groups }: Phrase) => onDays(groups.filter(group => group !== undefined))

const rules: readonly Rule[] = [
  ...often.flatMap(([frequency, words]) => [
    rule(`(?:${adjusted} )?(?:once )?(?:${words})(?: ${adjusted})?`, () =>
      said([every(frequency)], `adjusted ${frequencyWords[frequency]}`),
    ),
  ]),
  rule(
    `(?:${adjusted} )?(?:every|alle) {count} (month|week|monate|wochen)s?(?: ${adjusted})?`,
    ({ groups: [count, unit] }) => {
      const value = `${countOf(count!)} ${/mon/i.test(unit!) ? 'months' : 'weeks'}`
      return said([{ path: 'contract.frequency', value }], `adjusted every ${value}`)
    },
  ),
  rule(
    `(?:${adjusted} )?(?:(?:annually|yearly|once a year|quarterly|half-?yearly|semi-?annually|twice a year|jährlich|halbjährlich|vierteljährlich|quartalsweise|einmal jährlich)(?: on|,)? )?${onThe} ${day}(?:,? ${day},? ${day})? (?:(?:and|und)(?: ${onThe})? ${day} )?${ofYear}(?: ${adjusted})?`,
    daysIn,
  ),
  rule(
    `(?:${adjusted} )?(?:annually|yearly|once a year|einmal jährlich|jährlich) ${onThe} ${day}(?: ${adjusted})?`,
    daysIn,
  ),
  rule(
    `(?:${adjusted} )?(?:quarterly|vierteljährlich|quartalsweise) ${onThe} ${day}, ${day}, ${day} (?:and|und) ${day}(?: ${adjusted})?`,
    daysIn,
  ),
  rule(
    `(?:${adjusted} )?(?:half-?yearly|semi-?annually|twice a year|halbjährlich) ${onThe} ${day} (?:and|und) ${day}(?: ${adjusted})?`,
    daysIn,
  ),
  rule(
    `(?:${adjusted} )?(?:at|from|with effect from|zum|jeweils zum|zu) (?:the )?(?:beginning|start|first day|beginn|anfang) (?:of |eines |jedes )?(?:each |every |jeden )?(?:calendar quarter|kalenderquartals|quarter|quartals)(?: ${adjusted})?`,
    () => onDays(['1 January', '1 April', '1 July', '1 October']),
  ),
  rule(
    '(?:the |die )?(?:first (?:price )?adjustment(?: date)?(?: (?:is made|takes place|shall be made|will be made|is|shall be|shall take place))?|erste (?:preis)?anpassung(?: (?:erfolgt|ist|findet))?|for the first time|erstmals|first)(?: (?:on|as of|with effect from|zum|am|der))?(?: statt)? {date}(?: statt)?',
    ({ groups: [text] }) => {
      const value = dayOf(text!)
      return value === null
        ? 'it names a day that is none'
        : said([{ path: 'contract.firstAdjustment', value }], `first adjusted on ${value}`)
    },
  ),
  rule(
    '(?:(?:this |the |der |dieser |die )?(?:agreement|contract|term|vertrag|vereinbarung|rahmenvertrag|laufzeit)(?: (?:of the (?:agreement|contract)|des vertrages|des vertrags))? )?(?:(?:is valid|runs|applies|is in force|shall run|valid|läuft|gilt|beträgt|ist gültig|geht) )?(?:from|vom|for the period from|für die zeit vom) {date} (?:to|until|through|till|up to|bis(?: zum)?) {date}',
    ({ groups: [from, to] }) => terms(from, to),
  ),
  rule(
    '(?:this |the |der |dieser |die )?(?:agreement|contract|vertrag|vereinbarung|rahmenvertrag) (?:starts|begins|commences|takes effect|comes into force|enters into force|shall commence|beginnt|tritt|startet) (?:on|as of|am|zum|mit) {date}(?: in kraft)?(?:,? (?:and )?(?:ends|expires|terminates|shall end|shall expire|und endet|endet) (?:on|am|zum|mit ablauf des) {date})?',
    ({ groups: [from, to] }) => terms(from, to),
  ),
  rule(
    String.raw`(?:start|start date|commencement date|contract start|vertragsbeginn|laufzeitbeginn|beginn)(?: (?:is|ist|ist der|of the contract))?[:=]?\s*(?:the |der )?{date}`,
    ({ groups: [from] }) => terms(from, undefined),
  ),
  rule(
    '(?:(?:it|this agreement|the agreement|the contract|er|der vertrag|dieser vertrag|die vereinbarung) )?(?:ends|expires|terminates|shall end|shall expire|endet|läuft aus) (?:on|am|zum|mit ablauf des) {date}',
    ({ groups: [to] }) => terms(undefined, to),
  ),
  rule(
    String.raw`(?:end|end date|contract end|expiry|expiry date|vertragsende|laufzeitende)(?: (?:is|ist|ist der))?[:=]?\s*(?:the |der )?{date}`,
    ({ groups: [to] }) => terms(undefined, to),
  ),
]

function terms(from: string | undefined, to: string | undefined): Said | string {
  const ends = [
    { path: 'contract.start', text: from, words: 'starts' },
    { path: 'contract.end', text: to, words: 'ends' },
  ].filter(({ text }) => text !== undefined)
  const days = ends.map(({ text }) => dayOf(text!))
  if (days.some(found => found === null)) return 'it names a day that is none'
  const fills = ends.map(({ path }, i) => ({ path, value: days[i]! }))
  return said(fills, ends.map(({ words }, i) => `${words} on ${days[i]}`).join(', '))
}

export const calendarRules = rules
