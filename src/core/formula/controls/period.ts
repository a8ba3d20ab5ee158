// The limits of one period: the most that the price may move from its last level.
import type { JsonObject } from '../canonical.ts'
import type { ClauseTerms, Limits } from '../terms.ts'
import type { ClauseReading, ClauseSubject, Control } from './control.ts'
import { judgeLimits, judgeOrder, limitKey, periodBound, readLimit } from './limits.ts'

export const period: Control<Limits> = {
  name: 'period',
  keys: [
    limitKey('cap', 'periodPct', 'At most in a period', 'from one adjustment to the next'),
    limitKey('floor', 'periodPct', 'At least in a period', 'from one adjustment to the next'),
  ],
  points: { periodCap: 'the period cap', periodFloor: 'the period floor' },
  lines: [],
  check: reader => ({
    cap: readLimit(reader, 'cap', 'periodPct'),
    floor: readLimit(reader, 'floor', 'periodPct'),
  }),
  judge: (clause, reader) => {
    judgeLimits(reader)
    judgeOrder(reader, 'periodPct', clause.period.cap, clause.period.floor)
  },
  bounds: ({ period: { cap, floor } }) => ({
    above: cap === null ? [] : [periodBound(cap)],
    below: floor === null ? [] : [periodBound(floor)],
  }),
  explain: explaining => explaining.giveLimited('period', 'periodCap', 'periodFloor'),
  tell: {
    held: narrator => {
      const { cap, floor } = narrator.clause.period
      if (narrator.isLimitedBy('period', 'cap'))
        narrator.say(
          `The cap of ${narrator.limit(cap!)} a period holds it at ${narrator.pct(narrator.held)}${narrator.laterWords('cap')}.`,
        )
      if (narrator.isLimitedBy('period', 'floor'))
        narrator.say(
          `The floor of ${narrator.limit(floor!)} a period ${narrator.stopped(narrator.held)} ${narrator.pct(narrator.held)}${narrator.carriedWords('floor')}.`,
        )
    },
  },
  readings: readCap,
}

function readCap(subject: ClauseSubject | null): ClauseReading[] {
  const common = { id: 'cap', ...explainCap(subject?.clause ?? null) }
  const { period: of, cumulative, year } = subject?.clause ?? {}
  if (subject === null || (of?.cap == null && cumulative?.cap == null))
    return [
      {
        ...common,
        reading: { notApplicable: year?.cap ? 'The clause has a cap of the year alone.' : 'The clause has no cap.' },
      },
    ]
  const cap = swapped(subject.written.cap as JsonObject, subject.clause)
  return [{ ...common, reading: { clause: { ...subject.written, cap } } }]
}

function explainCap(clause: ClauseTerms | null): { title: string; words: string } {
  const [ofPeriod, inAll] = [clause?.period.cap?.text, clause?.cumulative.cap?.text]
  if (ofPeriod !== undefined && inAll !== undefined)
    return {
      title: 'The two caps exchanged',
      words: `${ofPeriod} % is read as the cap since the start, and ${inAll} % as the cap of each period.`,
    }
  if (inAll !== undefined)
    return {
      title: 'Cap per period instead of cumulative',
      words: `The cap of ${inAll} % holds each period, and not the whole change since the start.`,
    }
  const figure = ofPeriod === undefined ? 'The cap' : `The cap of ${ofPeriod} %`
  return {
    title: 'Cumulative cap instead of per period',
    words: `${figure} holds the whole change since the start, and not each period.`,
  }
}

/** Period and year caps hold a part back that can be carried forward; a cumulative cap holds nothing back. */
function swapped(cap: JsonObject, { cumulative, period: of, year }: ClauseTerms): JsonObject {
  const { periodPct, cumulativePct, carryForward, ...rest } = cap
  const holdsBack = cumulative.cap !== null || year.cap !== null
  return {
    ...rest,
    ...(holdsBack && carryForward !== undefined ? { carryForward } : {}),
    ...(cumulative.cap === null ? {} : { periodPct: cumulativePct! }),
    ...(of.cap === null ? {} : { cumulativePct: periodPct! }),
  }
}
