// Sharing: the part of the payable movement that is passed on, as one share or in bands.
import { compare, equal, formatShort, hundred, multiply, one, zero } from '../../numbers/ratio.ts'
import { type KeySpec, number } from '../check/keys.ts'
import { isRawList, joinPath, type Raw } from '../raw.ts'
import type { Band, ClauseTerms } from '../terms.ts'
import { isBands } from './clause-facts.ts'
import type { ClauseReader } from './clause-reader.ts'
import type { Control } from './control.ts'
import { number as inExpression, isOne, percent } from './expressions.ts'
import { shortDecimals } from './narrator.ts'

const keys: readonly KeySpec[] = [
  {
    path: 'clause.passThrough',
    label: 'Passed on',
    help: 'The share of the movement that is passed on, or bands of it: [{ upTo: 3, share: 1 }, { share: 0.5 }].',
    value: number('fraction', true),
    otherwise: '1',
  },
  {
    path: 'clause.passThrough.*.upTo',
    label: 'Up to',
    help: 'The upper edge of the band, in percent of movement up or down; the last band has none.',
    value: number('percent', true),
  },
  {
    path: 'clause.passThrough.*.share',
    label: 'Share',
    help: 'The share of the band that is passed on.',
    value: number('fraction', true),
    required: true,
  },
]

export const sharing: Control<ClauseTerms['sharing']> = {
  name: 'sharing',
  keys,
  points: { passThrough: 'the share passed on' },
  lines: ['shared'],
  check: checkSharing,
  link: {
    line: 'shared',
    note: 'the part of it that is passed on',
    expr: (before, { clause }) => shared(before, clause.sharing),
  },
  tell: {
    shared: narrator => {
      const { sharing: part } = narrator.clause
      const [payable, passed] = [narrator.line('payable'), narrator.line('shared')]
      if (part === null || equal(payable, passed)) return
      const share = isBands(part)
        ? 'By the bands of sharing, a part of it'
        : `${formatShort(multiply(narrator.number(part), hundred), shortDecimals)} % of it`
      narrator.say(`${share} is passed on: ${narrator.fraction(passed)}.`)
    },
  },
}

function checkSharing(reader: ClauseReader): ClauseTerms['sharing'] {
  const { clause, numbers } = reader
  const raw = clause.raw('passThrough')
  if (!isRawList(raw)) {
    const share = numbers.read(clause, 'passThrough')
    if (share !== null) numbers.range(clause, 'passThrough', share, zero, one, 'from 0 to 1')
    return share
  }
  if (raw.length === 0) return clause.refuse('passThrough', 'passThrough has no bands')
  const bands = raw.map((band, i) => checkBand(reader, band, i, raw.length))
  const known = bands.filter((band): band is Band => band !== null)
  if (known.length < bands.length) return null
  for (let i = 1; i < known.length - 1; i++) {
    const [before, here] = [known[i - 1]!.upTo?.value, known[i]!.upTo?.value]
    if (before && here && compare(here, before) <= 0)
      clause.refuse(
        `passThrough[${i}].upTo`,
        `the edges of bands must rise, got ${known[i]!.upTo!.text} after ${known[i - 1]!.upTo!.text}`,
      )
  }
  return known
}
function checkBand(reader: ClauseReader, raw: Raw, i: number, count: number): Band | null {
  const { numbers } = reader
  const path = joinPath('clause.passThrough', i)
  const fields = reader.item(raw, path, 'clause.passThrough.*', 'a band is written as { upTo: 3, share: 1 }')
  const upTo = numbers.read(fields, 'upTo')
  const share = numbers.read(fields, 'share')
  fields.finish()
  if (!fields.has('share')) fields.refuse('share', 'share is missing')
  if (share !== null) numbers.range(fields, 'share', share, zero, one, 'from 0 to 1')
  if (upTo !== null) numbers.range(fields, 'upTo', upTo, zero, null, 'a percentage of 0 or more')
  const isLast = i === count - 1
  if (isLast && fields.has('upTo'))
    return fields.refuse('upTo', 'the last band has no upTo: say what share is passed on above the bands')
  if (!isLast && !fields.has('upTo')) return fields.refuse('upTo', 'upTo is missing: only the last band is open')
  return share === null || (!isLast && upTo === null) ? null : { upTo, share }
}

function shared(before: string, part: ClauseTerms['sharing']): string {
  if (part === null) return before
  if (!isBands(part)) return isOne(part) ? before : `${inExpression(part)} * ${before}`
  const parts = part.map(({ upTo, share }, i) => {
    const from = i === 0 ? null : percent(part[i - 1]!.upTo!)
    const reached = upTo === null ? `abs(${before})` : `min(abs(${before}), ${percent(upTo)})`
    const width = from === null ? reached : `max(${reached} - ${from}, 0)`
    return isOne(share) ? width : `${inExpression(share)} * ${width}`
  })
  return `if(${before} < 0, -1, 1) * (${parts.join(' + ')})`
}
