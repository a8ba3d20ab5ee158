// Bounds of deliveries: how often and for how long one is tried, how many are under way, how much of an answer is read.

const minute = 60_000
const hour = 60 * minute

export const webhookLimits = {
  /** Time from the beginning of a request to the end of the read part of its answer. */
  answerMs: 15_000,
  /** Bytes read of the answer's body, which is thrown away: a receiver may finish its answer. */
  answerBytes: 64 * 1024,
  /** Pauses after failed attempts, give or take a fifth; after the last one the delivery is given up. */
  retriesMs: [
    5_000,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ] as readonly number[],
  jitter: 0.2,
  /** The longest that a receiver may ask to wait. */
  retryAfterMs: 24 * hour,
  /** Time without a success after which a webhook is disabled. */
  failingMs: 5 * 24 * hour,
  /** Deliveries under way at a time: in all, of one workspace, to one endpoint, and to one whose last attempt failed. */
  atOnce: { all: 64, workspace: 8, endpoint: 4, failing: 1 },
  /** Times that other processes leave alone a claimed delivery, and an endpoint that deliveries are made for. */
  claimMs: 30_000,
  leaseMs: 10_000,
  page: 100,
  /** Deliveries that may wait for one endpoint; later ones wait in the log. */
  waiting: 5_000,
  /** Length below which every body is. */
  bodyBytes: 2_048,
  /** Periods that a body names; if there are more, it names none. */
  periods: 40,
  /** Newest periods of an agreement that are looked at for whether they could be computed. */
  computablePeriods: 24,
  /** Days before its end at which a key's event is told. */
  keyDays: 14,
  /** Pause between looks for news, and between deletions of old deliveries and disabling of failing webhooks. */
  tickMs: 1_000,
  /** Pause between two rounds while each finds something to do. */
  breathMs: 20,
  upkeepMs: 60_000,
  /** Time for deliveries under way to get their answers when the server stops. */
  stopMs: 3_000,
  /** Times that one look waits for agreements that are being computed; the rest is left to the next look. */
  glances: 20,
} as const
