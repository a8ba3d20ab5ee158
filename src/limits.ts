// Every number that bounds something, named, in one place. No limit is invented elsewhere; nothing here reads the
// environment.

export const limits = {
  /** Application statements; publishing and backups say otherwise for themselves. */
  statementTimeoutMs: 5_000,
  lockTimeoutMs: 1_000,
  /** How long a publication waits for the one before it. */
  publishLockTimeoutMs: 60_000,
  /** A migration waits this long for a table that is in use. */
  migrationLockTimeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  poolConnections: 10,

  /** Rows sent to the database in one piece of a COPY. */
  copyChunkBytes: 64 * 1024,
  /** A known-at cut may lie this far past the database's clock, for clocks of two machines differ. */
  clockToleranceMs: 2_000,

  /** Starting includes the recovery after a crash. */
  embeddedStartMs: 180_000,
  embeddedStopMs: 60_000,
  /** Waiting for another process that is starting or stopping the database. */
  embeddedTurnMs: 240_000,
  embeddedPollMs: 20,
  /** A server that lost its database looks after it this long before it looks again. */
  reviveMs: 3_000,
  embeddedLogBytes: 10 * 1024 * 1024,
  /** What a socket's path may take on every system (104 bytes on macOS, with the closing zero). */
  socketPathBytes: 103,

  secretBytes: 32,
  minimumPasswordLength: 10,
  maximumPasswordLength: 1_000,
  setUpLinkHours: 72,
  apiKeyLength: 128,
  namesLength: 200,
  emailLength: 254,
  slugLength: 63,

  requestsPerMinute: 60,
  highestRequestsPerMinute: 1_000_000,
  rateWindowMs: 60_000,
  /** Added to a time to wait: a caller's timer may fire early, and its clock run fast. */
  retryMarginMs: 10,
  redisConnectMs: 1_000,
  redisReplyMs: 1_000,
  redisGraceMs: 100,
  redisPingMs: 2_000,
  redisReconnectMs: { least: 50, most: 1_000 },
  /** Questions to Redis under way at once; more are refused. */
  redisQuestions: 10_000,

  /** A key's record is read again in the background after the first and never used after the second. */
  keyRefreshMs: 2_000,
  keyHeldMs: 4_000,
  keysHeld: 10_000,
  /** Keys looked up in the database at once, and how many more may wait in line. */
  keyLookUps: 4,
  keyLookUpsWaiting: 1_000,
  keyLookUpMs: 2_000,
  keyUseWriteMs: 5_000,
  /** Keys that did not open, per address. */
  failedAttemptsPerMinute: 120,
  failingAddressesHeld: 10_000,

  seriesPage: { usual: 50, most: 200 },
  pamPage: { usual: 50, most: 200 },
  valuesPage: { usual: 500, most: 2_000 },
  headerBytes: 16 * 1024,
  bodyBytes: 1024 * 1024,
  /** With the time between two looks, a slow request is cut within 15 seconds. */
  slowClientMs: 13_000,
  slowClientCheckMs: 1_000,
  gracefulStopMs: 10_000,
  compressFromBytes: 1024,

  /** Digits a published value may have: more is refused as unreadable. */
  valueDigits: 60,
  flagLength: 100,
  seriesCodeLength: 200,

  /** What is read from a file in one piece. */
  fileChunkBytes: 64 * 1024,
  /** Bad rows of an import that are named; the rest are counted, up to a bound for those the database finds. */
  importProblems: 1_000,
  importConflicts: 100_000,
  /** An import begins again when a series of its file appeared or changed while it was being read. */
  importAttempts: 5,
  /** New or newly described series sent to the database in one statement. */
  seriesPerStatement: 5_000,
  /** An element of an array of observations longer than this is none. */
  jsonElementLength: 1_000_000,
  /** Texts of a workbook are held in memory, unlike its rows. */
  workbookTextsBytes: 200 * 1024 * 1024,
  workbookPartBytes: 50 * 1024 * 1024,
  workbookParts: 10_000,
  workbookColumns: 16_384,
  /** Below this, a high ratio harms nobody: small parts of workbooks repeat themselves. */
  workbookRatioFromBytes: 1024 * 1024,
  /** For files that come through the web; the operator's own may be larger. */
  upload: { unpackedBytes: 200 * 1024 * 1024, ratio: 100 },
  progressMs: 100,

  /** One answer of a provider, from the first word of the question to the last byte, redirects included. */
  providerAnswerMs: 60_000,
  providerWireBytes: 50 * 1024 * 1024,
  providerUnpackedBytes: 200 * 1024 * 1024,
  /** How many times larger an answer may become when it is unpacked; small ones are not worth a quarrel. */
  providerUnpackedRatio: 100,
  providerRatioFromBytes: 64 * 1024,
  providerRows: 1_000_000,
  providerRedirects: 3,
  /** Pages and parts that one request may lead to. */
  providerChain: 60,
  /** Series that are asked for and settled together. */
  seriesTogether: { least: 5, usual: 20, most: 50 },
  /** The job queue's own statements; the longest of them make its schema. */
  jobsAnswerMs: 60_000,
  providerTries: 3,
  providerBackoffMs: 500,
  /** What a run waits for a provider's limit or its Retry-After; more is left to the next run. */
  providerLongestWaitMs: 120_000,
  /** After so many requests in a row without an answer a provider is left alone until the next run. */
  providerTroublesInARow: 3,
  /** Fewer requests a minute than this are counted by the hour, so that a few at once need not wait. */
  countedByMinuteFrom: 5,
  /** How far back a refresh looks for revisions, and how often it looks at everything. */
  refreshYears: 2,
  wholeHistoryEveryDays: 30,
  /** A rewritten part of the settled history that a person has to look at: more than one in ten, and never one alone. */
  rewrittenOneIn: 10,
  rewrittenLeast: 2,
  ingestProblemsKept: 100,
  searchResults: 50,
  searchTextLength: 200,

  /** Loads from the database under way at once; beyond it callers are asked to come again. */
  loadsAtOnce: 400,

  cacheMb: { usual: 256, least: 16, most: 65_536 },
} as const
