// Bounds of the audit stream: how much is written at a time, how long that may take, and when it is tried again.

export const auditLimits = {
  lines: 100,
  /** A text within a line; longer ones are cut. */
  textLength: 1_000,
  /** Acts that get their numbers at a time. */
  numbered: 5_000,
  /** Acts that are deleted at a time, and how often old ones are looked for. */
  pruned: 5_000,
  pruneMs: 3_600_000,
  /** Pause between looks for new acts. */
  tickMs: 1_000,
  writeMs: 10_000,
  /** Pause before a full pipe is tried again. */
  fullPipeMs: 50,
  /** Time that other processes leave the stream alone: longer than a write may take, so that two never write at once. */
  holdMs: 30_000,
  /** Pauses after failures: doubled each time. */
  retriesMs: { first: 1_000, most: 60_000 },
  warnEveryMs: 60_000,
} as const
