// The bounds of the public log.

export const logLimits = {
  /** Shortest time between two growths of the log without a request, and the wait after a start. */
  everyMs: 60_000,
  firstMs: 5_000,
  /** Requests of one address for checkpoints and tiles: a mirror of a million leaves asks for about 8,000. */
  requestsAnHour: 20_000,
  reasonLength: 1_000,
}
