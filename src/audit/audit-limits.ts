// The bounds of the audit stream: how much is told at a time, how long a destination has for it, and when it is tried again.

export const auditLimits = {
  /** Acts that are told at a time, and the most bytes of their lines. A line alone may be longer. */
  lines: 500,
  bytes: 256 * 1024,
  /** A text within a line; what is longer is cut. */
  textLength: 1_000,
  /** Acts that get their numbers at a time. */
  numbered: 5_000,
  /** Acts that are deleted at a time, and how often old ones are looked for. */
  pruned: 5_000,
  pruneMs: 3_600_000,
  /** How often something new is looked for. */
  tickMs: 1_000,
  /** A destination has so long for what it is told at a time. */
  answerMs: 10_000,
  /** Others leave a destination alone for so long: longer than what is told may take, so that two never tell it at once. */
  holdMs: 30_000,
  /** After a failure: doubled each time. A destination may ask to wait longer, up to the last. */
  retriesMs: { first: 1_000, most: 60_000, asked: 3_600_000 },
  /** Of an answer that is thrown away. */
  answerBytes: 64 * 1024,
  /** A token in a file. */
  tokenBytes: 8 * 1024,
  /** A datagram of syslog: what IPv4 carries at most, less the headers. */
  datagramBytes: 65_000,
  /** Between two warnings about the same destination. */
  warnEveryMs: 60_000,
} as const
