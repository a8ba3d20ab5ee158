// A splice of an agreement's index, from the figures under the lock; and whether a proposed one still follows from them.

import { buildSplice, type SpliceTerms, spliceTerms } from '../../core/index-changes/build-splice.ts'
import type { SpliceQuestion } from '../../core/index-changes/splice-question.ts'
import { readSpliceBody, type SpliceBody } from '../../core/index-changes/splice-schema.ts'
import { rounding as roundingShape } from '../../core/receipt/receipt-schema.ts'
import { Refusal } from '../../core/refusal.ts'
import { noCuts } from '../../core/series/vintage.ts'
import { canonicalJson } from '../../core/text/canonical-json.ts'
import { bindVersions } from '../../read/agreements/governing-versions.ts'
import { judge } from '../judge.ts'
import { readWords } from '../object.ts'
import { type BuiltDocument, built } from './built-change.ts'
import { headFor, type OpenTerms } from './open-terms.ts'

/** The request for a splice; the agreement gives the rest. */
export interface SpliceWish
  extends Pick<
    SpliceQuestion,
    | 'old'
    | 'inputs'
    | 'ground'
    | 'method'
    | 'direction'
    | 'window'
    | 'point'
    | 'rounding'
    | 'published'
    | 'join'
    | 'base'
    | 'waitFinal'
  > {
  /** The series that takes its place, as formulas name it. */
  readonly successor: string
  /** Other series to compare, each with the reason. */
  readonly candidates: readonly { readonly series: string; readonly why: string }[]
}

export interface BuiltSplice extends BuiltDocument {
  readonly warnings: readonly string[]
}

export async function splice(open: OpenTerms, wish: SpliceWish): Promise<BuiltSplice> {
  refuseUnused(wish)
  const { ground, log, today, basis } = open
  const { body, checked, warnings } = buildSplice(await questionOf(open, wish))
  const judged = await judge(ground, { workspaceId: log.scope, text: body.document, checked, by: '', today })
  if (judged.outcome === 'refused') {
    const { path, message } = judged.problems[0]!
    throw new Refusal('conflict', `the spliced document is not right: ${path}: ${message}`)
  }
  const head = {
    kind: 'SPLICE' as const,
    document: body.document,
    ground: wish.ground.kind,
    basis: basis.version,
    effectiveFrom: body.effectiveFrom,
    series: [body.old.series, body.new.series],
  }
  return { ...built(body, head), judged, warnings }
}

/** Refuses values that would not be read: nobody would see the mistake. */
function refuseUnused({ ground, method, published, point }: SpliceWish): void {
  readWords('the reason', ground.sentence)
  if (published !== null && method !== 'PUBLISHED')
    throw new Refusal('invalid', `${method} takes no coefficient; leave it out, or choose PUBLISHED`)
  if (published !== null) readWords('the source of the coefficient', published.source)
  if (point !== null && method !== 'POINT')
    throw new Refusal('invalid', `${method} takes no point; leave it out, or choose POINT`)
}

async function questionOf(open: OpenTerms, { successor, candidates, ...wish }: SpliceWish): Promise<SpliceQuestion> {
  const { ground, snapshot, standing, today, basis } = open
  const named = candidates.map(({ series }) => series)
  const data = await ground.data([...new Set([...snapshot.references, successor, ...named])])
  const found = data.get(successor)
  if (found === undefined)
    throw new Refusal('not-found', `there is no series ${successor} in this workspace; follow it or import it first`)
  const { edition: _edition, ...head } = headFor(open)
  return {
    ...wish,
    head,
    versions: bindVersions(standing.versions, data),
    text: basis.documentText,
    signed: standing.signed.map(each => snapshot.signedState(each, standing.agreedAt.get(each)!)),
    after: standing.continuesFrom.after,
    cuts: noCuts,
    today,
    successor: found,
    candidates: candidates.flatMap(({ series, why }) => {
      const history = data.get(series)
      return history === undefined ? [] : [{ series: history, why }]
    }),
  }
}

/** Refuses a splice whose figures have moved since it was proposed, and names the new ones. */
export async function checkUnmoved(open: OpenTerms, id: string, text: string): Promise<void> {
  const shown = readSpliceBody(JSON.parse(text))
  const moved = movedFrom(shown, spliceTerms(await questionOf(open, wishOf(shown))))
  if (moved.length > 0) throw new Refusal('conflict', `${id} has moved since it was proposed: ${moved.join('; ')}`)
}

/** The request again, with the defaults written out. */
function wishOf(body: SpliceBody): SpliceWish {
  const { method, coefficient, window, bases } = body
  const isComputed = coefficient !== null && coefficient.source === null && method !== 'SAME_LEVEL'
  const rounding = coefficient?.rounding ?? null
  return {
    old: body.old.series,
    successor: body.new.series,
    inputs: body.inputs,
    ground: body.ground,
    method,
    direction: isComputed ? coefficient.direction : null,
    window: window === null || method === 'POINT' ? null : { from: window.from, until: window.until },
    point: method === 'POINT' ? (window?.from ?? null) : null,
    rounding: rounding === null ? null : roundingShape.read(rounding, 'body.coefficient.rounding'),
    published:
      method === 'PUBLISHED' && coefficient !== null
        ? { direction: coefficient.direction, digits: coefficient.written, source: coefficient.source! }
        : null,
    join: body.join,
    base: method === 'RELEVEL' && coefficient === null ? (bases[0]?.after ?? null) : null,
    waitFinal: body.waitedForFinal,
    candidates: [],
  }
}

function movedFrom(shown: SpliceTerms, now: SpliceTerms): readonly string[] {
  const moved: string[] = []
  const [before, after] = [shown.coefficient?.written ?? null, now.coefficient?.written ?? null]
  if (before !== after) moved.push(`the coefficient is ${after ?? 'none'} now, not ${before ?? 'none'}`)
  const figures = new Map(shown.evidence.overlap.map(line => [line.period, figuresOf(line)]))
  for (const line of now.evidence.overlap) {
    const was = figures.get(line.period)
    if (was !== figuresOf(line))
      moved.push(`${line.period} is ${figuresOf(line)} now${was === undefined ? '' : `, not ${was}`}`)
    figures.delete(line.period)
  }
  for (const period of figures.keys()) moved.push(`${period} no longer counts`)
  if (canonicalJson(basesIn(shown)) !== canonicalJson(basesIn(now))) moved.push('the base reads another value now')
  if (moved.length === 0 && shown.document !== now.document) moved.push('the document would be another one now')
  return moved
}

function basesIn({ bases }: SpliceTerms): string[] {
  return bases.map(({ input, after, afterReading }) => `${input} ${after} ${afterReading}`)
}

/** `112.0 and 89.6` */
function figuresOf({ old, new: successor }: SpliceBody['evidence']['overlap'][number]): string {
  const values = (figures: readonly { readonly value: string }[]) => figures.map(({ value }) => value).join(', ')
  return `${values(old)} and ${values(successor)}`
}
