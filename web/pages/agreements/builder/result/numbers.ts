// Numbers of the result: those in force, which keep signed ones, or the whole history recomputed from the newest figures, as if
// nothing were signed.
import type { Preview } from '../../../../../src/views/shapes/agreements.ts'
import { countOf } from '../../../../components/words/words.ts'

export type Numbers = 'in-force' | 'history'

/** Whether the two differ: something is signed, or there is an earlier version. */
export function hasChoice({ inForce }: Preview): boolean {
  return inForce !== null && inForce.after !== null
}

export function numbersOf(preview: Preview, numbers: Numbers): Preview {
  const { inForce } = preview
  if (numbers === 'history' || inForce === null || inForce.after === null) return preview
  return { ...preview, entries: inForce.after, before: inForce.before }
}

export function formatNumbersInWords({ inForce }: Preview, numbers: Numbers): string {
  if (numbers === 'history') return 'This document alone over the whole history, from the newest figures.'
  const signed = inForce?.signed ?? 0
  if (signed === 0) return 'The numbers in force once the document is saved.'
  return `The numbers in force once the document is saved: ${countOf(signed, 'signed period')} ${signed === 1 ? 'stays' : 'stay'} as signed.`
}
