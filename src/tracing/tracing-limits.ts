// The bounds of traces: how many spans wait, how many are sent at a time, and how long a collector has for them.

export const tracingLimits = {
  /** Spans that wait to be sent; what comes after them is dropped and counted. */
  waiting: 4_096,
  /** Spans that are sent at a time. */
  batch: 512,
  /** How often what has gathered is sent, and how long to wait after a failure. */
  everyMs: 1_000,
  pauseMs: 5_000,
  /** From the beginning of a request to the end of its answer. */
  answerMs: 5_000,
  /** What a stop waits for. */
  stopMs: 2_000,
  answerBytes: 64 * 1024,
} as const
