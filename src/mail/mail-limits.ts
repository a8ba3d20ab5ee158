// The bounds of mail to people, named, in one place: how often it is sent, for how long it is tried, how much a mail lists.

export const mailLimits = {
  /** How often what is due is sent, and how often it is looked for something to tell. */
  postMs: 5_000,
  lookMs: 120_000,
  /** One mail to the mail server, from connecting to its answer; another process tries it again after the second. */
  sendMs: 60_000,
  claimMs: 180_000,
  /** Pauses after tries that failed, and how long it is tried at all. A refused recipient is tried fewer times. */
  pauseMs: { least: 30_000, most: 3_600_000 },
  giveUpDays: 3,
  refusals: 3,
  /** How far back it is looked for what is new where it was not looked for long, and how much the looks overlap. */
  lookBackDays: 2,
  overlapMinutes: 10,
  /** Hour of the day, in UTC, from which on the digest of the day before is sent. */
  digestHour: 6,
  /** Lines that a mail lists of one kind; the rest is counted. */
  lines: 20,
  /** Mails of one workspace that are sent in a row before others have their turn. */
  together: 50,
  /** Periods that wait for one person, changes of figures in a workspace and statements that one look tells. */
  waiting: 1_000,
  changes: 500,
  statements: 500,
  /** How often one look waits half a second for formulas that are being computed; the rest is for the next one. */
  glances: 120,
  /** What is kept in memory to find it out. */
  cacheBytes: 32 * 1024 * 1024,
  connections: 3,
} as const
