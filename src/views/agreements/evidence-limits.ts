// The bounds of evidence packages, named, in one place.

export const evidenceLimits = {
  /** Periods in one package, and characters of all its files together. */
  periods: 400,
  characters: 60_000_000,
  /** How many activities about one agreement are listed: the newest. */
  activities: 10_000,
} as const
