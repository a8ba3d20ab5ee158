// The bounds of the public log.

export const logLimits = {
  /** It grows at most this often by itself, and first so long after the start. */
  everyMs: 60_000,
  firstMs: 5_000,
  /** Of one address, for checkpoints and tiles: a mirror of a million leaves asks for about 8,000. */
  requestsAnHour: 20_000,
  reasonLength: 1_000,
}
