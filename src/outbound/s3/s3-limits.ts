// The bounds of S3-compatible storage: how much goes in one request, and how often and how long it is tried.

export const s3Limits = {
  /** What is larger is sent in parts of this size; more than 10,000 parts are not taken. */
  partBytes: 64 * 1024 * 1024,
  /** From the beginning of a request to the end of its answer. */
  answerMs: 10 * 60_000,
  /** Of answers that are no object: lists and errors. */
  answerBytes: 8 * 1024 * 1024,
  /** Before each further attempt; after the last one it is given up. */
  pausesMs: [200, 1_000, 3_000, 9_000, 20_000] as readonly number[],
  /** The longest that storage may ask to wait. */
  retryAfterMs: 60_000,
} as const
