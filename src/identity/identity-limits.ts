// Bounds of requests to identity providers and of their answers.

export const identityLimits = {
  /** One answer of a provider, from the start of the request to its last byte. */
  answerMs: 10_000,
  answer: {
    wireBytes: 1024 * 1024,
    unpackedBytes: 1024 * 1024,
    ratio: 100,
    ratioFromBytes: 64 * 1024,
    largeBytes: 1024 * 1024,
  },
  /** Longest time of a person at their provider. */
  requestSeconds: 600,
  /** Age at which a provider's description is asked for again. */
  knownMs: 10 * 60_000,
  /** Pause between looks for a key that is not known. */
  keysAgainMs: 60_000,
  /** Most that the clocks of a provider and this server may differ. */
  clockSeconds: 60,
  /** Greatest age of a token, and of a logout token. */
  tokenSeconds: 600,
  /** Keys of one provider. */
  keys: 100,
  tokenLength: 32_768,
  /** Providers whose addresses and keys are kept in memory. */
  providers: 500,
} as const
