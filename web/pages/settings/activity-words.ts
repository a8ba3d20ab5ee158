// Subject of an activity, in words.
import type { ActivityTarget } from '../../../src/views/shapes/settings.ts'

/** `steel-brackets 2` → `steel-brackets, version 2`; a year stays the period it is. */
export function formatSubject(subject: string, target: ActivityTarget | null): string {
  if (target?.kind !== 'agreement' || target.period !== null) return subject
  return subject.replace(/^([a-z0-9-]+) (\d+)$/, '$1, version $2')
}
