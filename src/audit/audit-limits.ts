// The bounds of the audit stream: how much is written at a time, how long that may take, and when it is tried again.

export const auditLimits = {
  /** Acts that are written at a time. */
  lines: 100,
  /** A text within a line; what is longer is cut. */
  textLength: 1_000,
  /** Acts that get their numbers at a time. */
  numbered: 5_000,
  /** Acts that are deleted at a time, and how often old ones are looked for. */
  pruned: 5_000,
  pruneMs: 3_600_000,
  /** How often something new is looked for. */
  tickMs: 1_000,
  /** What is written at a time may take so long. */
  writeMs: 10_000,
  /** How soon a pipe that is full is tried again. */
  fullPipeMs: 50,
  /** Others leave the stream alone for so long: longer than a write may take, so that two never write at once. */
  holdMs: 30_000,
  /** After a failure: doubled each time. */
  retriesMs: { first: 1_000, most: 60_000 },
  /** Between two warnings. */
  warnEveryMs: 60_000,
} as const
