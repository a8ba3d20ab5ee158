// The bounds of calendar feeds.

export const feedBounds = {
  /** Feeds of one person, or of a workspace itself, and the agreements that one of them names. */
  each: 20,
  agreements: 200,
  /** Requests of one feed, and of somebody whose tokens open nothing. */
  anHour: 60,
  /** Days for which cancelled releases and passed dates stay, and days that a feed looks ahead. */
  cancelledDays: 90,
  pastDays: 30,
  aheadDays: 365,
  /** Most events, the nearest; and most names that a description lists. */
  events: 2_000,
  names: 6,
  /** Times that a feed looks again while agreements are still being computed. */
  glances: 40,
} as const
