// The bounds of mail to people, named, in one place: how often it is sent, for how long it is tried, how much a mail lists.

export const mailLimits = {
  /** Pauses between sending due mail, and between looks for something new. */
  postMs: 5_000,
  lookMs: 120_000,
  /** One mail to the mail server, from connecting to its answer; another process tries it again after the second. */
  sendMs: 60_000,
  claimMs: 180_000,
  /**
   * Pauses after failed attempts, and how long sending is attempted at all. A refused recipient gets fewer attempts.
   */
  pauseMs: { least: 30_000, most: 3_600_000 },
  /** Pause while the content of a mail is still being computed. */
  countingMs: 10_000,
  giveUpDays: 3,
  refusals: 3,
  /** Mails with a one-time link to one address, from all workspaces: seconds between two of a kind, and in 24 hours. */
  links: { apartSeconds: 3_600, mostADay: 20 },
  /** Days that we look back after a long break, and minutes by which two looks overlap. */
  lookBackDays: 2,
  overlapMinutes: 10,
  /** Pause between two mails of one kind to one address; news in between goes out with the next. */
  apartMs: 3_600_000,
  /** Hour of the day, in UTC, from which the digest of the day before is sent. */
  digestHour: 6,
  /** Lines that a mail lists of one kind; the rest is counted. */
  lines: 20,
  /** Differences of two shapes of answers that a mail lists, and the most characters of one. */
  driftLines: 12,
  driftLineLength: 200,
  /** Mails of one workspace that are sent in a row before others have their turn. */
  together: 50,
  /** Most changed figures of a workspace and statements that one look reports. */
  changes: 500,
  statements: 500,
  /** Members for whom one look finds, looks up and adds notices at once. */
  membersTogether: 20,
  /** Times that one look waits half a second for agreements that are being computed; the rest is left to the next look. */
  glances: 120,
  cacheBytes: 32 * 1024 * 1024,
  connections: 3,
} as const
