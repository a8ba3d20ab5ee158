// Bounds that an operator may meet or set, in one place: requests, connections, memory, files, providers, sessions. A bound that
// only one module needs is next to its use. Bounds of pure code are where they are enforced, because core imports nothing: a
// document's length and depth in core/formula/raw.ts, an expression's in core/formula/expression.ts, numbers' in
// core/numbers/ratio.ts, dates of a contract in core/formula/schedule.ts. Other files: ingest/ingest-limits.ts for providers,
// mail/mail-limits.ts, storage/people/account-limits.ts, storage/proof/log-limits.ts for the public log,
// http/traffic/place-limits.ts for places and workers. Nothing here reads the environment.

export const limits = {
  /** Application statements; publishing and backups set their own. */
  statementTimeoutMs: 5_000,
  lockTimeoutMs: 1_000,
  /** Wait of an entry for the one before it. */
  publishLockTimeoutMs: 60_000,
  /** Time that a migration waits for a table that is in use. */
  migrationLockTimeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  /** The job queue's own statements; the longest of them make its schema. */
  jobsAnswerMs: 60_000,
  poolConnections: 10,
  /** Connections of a server that one workspace uses at a time, and its wait for one of them. */
  poolShare: 4,
  shareWaitMs: 10_000,
  /** Connections of such a pool that are left for short queries that belong to no workspace. */
  unsharedConnections: 1,

  /** Rows sent to the database in one piece of a COPY. */
  copyChunkBytes: 64 * 1024,
  /** A known-at cut may lie this far past the database's clock, because the clocks of two machines differ. */
  clockToleranceMs: 2_000,
  /** The clocks of database and process may differ by this much; an entry may lie as far ahead of them. */
  clockDifferenceMs: 2 * 60_000,
  /** Pause of a reader before it asks again whether an entry has ended, longer each time. */
  settlePauseMs: { least: 2, most: 20 },
  /** Leaves of a tree that the database puts together at once. */
  leavesTogether: 10_000,
  /** Entries of the access log that are written or verified in one piece. */
  accessEntriesTogether: 2_000,
  /** Entries, rows of each kind (receipts are long) and agreements that are held while a chain is verified. */
  publicationsVerified: 1_000,
  factsVerified: 100,
  agreementsVerified: 20,
  /** Entries of one transaction beyond which they are announced to listeners as one: everything of the scope. */
  noticesTogether: 200,

  /** Starting includes the recovery after a crash. */
  embeddedStartMs: 180_000,
  embeddedStopMs: 60_000,
  /** Waiting for another process that is starting or stopping the database. */
  embeddedTurnMs: 240_000,
  /** Waiting for a process that ends without leaving, and stands still meanwhile. */
  embeddedExitTurnMs: 2_000,
  embeddedPollMs: 20,
  /** Pause of a server that lost its database before it checks again. */
  reviveMs: 3_000,
  embeddedLogBytes: 10 * 1024 * 1024,
  /** Length of a socket's path that works on every system (104 bytes on macOS, with the closing zero). */
  socketPathBytes: 103,

  secretBytes: 32,
  secretsListed: 20,
  /** Rows that a rotation seals again in one transaction. */
  resealedTogether: 500,
  /** Pause after which a process tells again which secrets it lists, and asks for the current one. */
  ringBeatMs: 1_000,
  /** Time without a word after which a process counts as not running. */
  ringHolderSeconds: 15,
  /** Wait of a rotation for processes to read a secret that was added, and for transactions that began before it. */
  holderWaitMs: 8_000,
  rotationWaitMs: 600_000,
  minimumPasswordLength: 10,
  maximumPasswordLength: 1_000,
  setUpLinkHours: 72,
  /** Times that joining is restarted if another account of the address was created meanwhile. */
  joiningTurns: 5,
  /** A session ends when it was not used for the first time, and after the second however much it is used. */
  sessionIdleDays: 14,
  sessionDays: 90,
  sessionsPerPerson: 50,
  /** The last use of a session is stored at most this often. */
  sessionSeenSeconds: 60,
  userAgentLength: 300,
  /** Time for which a confirmation by password or passkey counts. */
  confirmedSeconds: 300,
  /** Time for a passkey to answer a challenge. */
  challengeSeconds: 300,
  passkeysPerPerson: 20,
  passkeyNameLength: 60,
  recoveryCodes: 10,
  /** One-time and recovery codes that a person may get wrong, and the time in which they count. */
  failedCodes: { most: 10, seconds: 3_600 },
  /** Periods that are signed in one act: each of them is shown. */
  signedAtOnce: 400,
  /**
   * Limits for objections, each for one side, so that neither uses up those of the other: to a period, answers to one,
   * both of an agreement within 24 hours; and characters of one text.
   */
  objections: { ofPeriod: 20, answers: 50, ofSidePerDay: 50, answersOfSidePerDay: 100, characters: 4_000 },
  /** Corrections of an agreement, and changes of its terms, that one side proposes within 24 hours. */
  proposing: { ofSidePerDay: 20 },
  /**
   * Bounds of an evidence package: periods, characters of all its files together, and the newest activities about its agreement.
   */
  evidence: { periods: 400, characters: 60_000_000, activities: 10_000 },
  /** Most entries that one touch of a passkey signs, all of which are in each receipt; and for how long that can be used. */
  batches: { entries: 500, seconds: 900 },
  /** Agreements whose periods are signed together: all of them are computed under the lock. */
  agreementsAtOnce: 100,
  /** Agreements that are opened at once to show what would be signed. */
  agreementsShownAtOnce: 25,
  /** Failed attempts a minute: from one address, for one account from one address, and for one account in all. */
  failedSignIns: { address: 60, accountFromAddress: 10, account: 30 },
  /** Passwords that are checked at once (each takes 19 MiB and a thread), and how many more may wait in line. */
  passwordChecks: 2,
  passwordChecksWaiting: 20,
  passwordCheckMs: 5_000,
  /** Time that an old key may keep working next to its replacement. */
  keyOverlapHours: 720,
  activityPage: 50,
  /** Verifications of the hash chains that may wait for the one under way, and their wait. */
  chainWalks: { waiting: 5, timeoutMs: 300_000 },
  apiKeyLength: 128,
  namesLength: 200,
  emailLength: 254,
  slugLength: 63,

  /**
   * Limits of a workspace unless its operator sets others; `storage/workspaces/quotas.ts` enforces it. Ten times what a large
   * buyer needs, and little enough that one workspace cannot fill the disk or slow its neighbours: the lists of 20,000 agreements
   * and 100,000 series are measured by `npm run bench -- neighbours`, and 50 million vintages take about 8 GB. Uploads are those
   * that wait or are read at the same time by one server.
   */
  quotas: {
    agreements: 20_000,
    series: 100_000,
    keys: 200,
    vintages: 50_000_000,
    people: 500,
    uploads: 2,
    prices: 5_000_000,
    lines: 10_000_000,
  },
  highestQuota: 1_000_000_000_000,
  /** Keys of a workspace, including ended ones: they stay in its list. */
  keysKept: 10_000,
  /** Parties of a workspace: all of them are listed at once. */
  companies: 2_000,
  /** People of one party that it invites by itself: the places of a workspace are not its alone. */
  companyPeople: 100,
  /** Formula versions of one agreement: all of them are checked when it is read. */
  formulaVersions: 500,
  /** Versions of one price list: all of them are read with it. */
  priceListVersions: 500,

  requestsPerMinute: 60,
  highestRequestsPerMinute: 1_000_000,
  /** All keys of a workspace together: this many times the requests of one, unless the operator sets another. */
  workspaceRateFactor: 10,
  highestWorkspaceRequestsPerMinute: 10_000_000,
  rateWindowMs: 60_000,
  /** Added to a time to wait: a caller's timer may fire early, and its clock run fast. */
  retryMarginMs: 10,
  redisConnectMs: 1_000,
  redisReplyMs: 1_000,
  redisGraceMs: 100,
  redisPingMs: 2_000,
  redisReconnectMs: { least: 50, most: 1_000 },
  /** Requests to Redis under way at once; more count as a failure of Redis. */
  redisRequests: 10_000,

  /** A key's record is read again in the background after the first and never used after the second. */
  keyRefreshMs: 2_000,
  keyCachedMs: 4_000,
  keysCached: 10_000,
  /** Known keys whose records are read again in one query. */
  keysReadAtOnce: 500,
  /** Keys looked up in the database at once, and how many more may wait in line. */
  keyLookUps: 4,
  keyLookUpsWaiting: 1_000,
  keyLookUpMs: 2_000,
  keyUseWriteMs: 5_000,
  /** Wrong keys per address; beyond it, its look-ups wait behind those of others. */
  failedAttemptsPerMinute: 120,
  failingAddressesKept: 10_000,

  seriesPage: { usual: 50, most: 200 },
  agreementPage: { usual: 50, most: 200 },
  valuesPage: { usual: 500, most: 2_000 },
  /** Pages of /ext/v1, which are the largest by default; and how much may be named in one address. */
  ext: {
    series: 200,
    adjustments: 200,
    vintages: 2_000,
    changes: 500,
    prices: 1_000,
    invoiceLines: 500,
    corrections: 200,
    splices: 100,
    releases: 500,
    indexEvents: 500,
    /** The days that are asked for at once, and unless said otherwise. */
    releaseDays: 366,
    releaseDaysUsual: 90,
    /** Periods ahead for which the dates of a series are told. */
    nextPeriods: 12,
    /** Bounds of what one request may check. */
    checkLines: 5_000,
    checkBytes: 2 * 1024 * 1024,
    /** Numbers computed for one page (if a filter leaves few, it is short); prices in one file for another system. */
    computedRows: 400,
    filePrices: 100_000,
    /** Entries whose vintages are read together. */
    vintagesTogether: 100,
    /** Periods that a change names; if there are more, it names none. */
    changedPeriods: 100,
    /** Entries of others that a reader who gets nothing may skip again on each request. */
    passedUnseen: 10_000,
    /** Time that `wait` holds an answer, answers held for one key and for all, and the least pause between checks for news. */
    waitSeconds: 25,
    pollsPerKey: 2,
    polls: 200,
    pollRestMs: 25,
    pollDeafMs: 500,
    ids: 200,
    seriesAtOnce: 50,
    lastValues: 60,
    searchLength: 200,
  },
  /** Bounds of one answer of /sdmx/v2: observations, of every vintage in a history, and agreements whose prices are computed. */
  sdmx: { observations: 250_000, agreements: 500 },
  headerBytes: 16 * 1024,
  requestIdLength: 64,
  bodyBytes: 1024 * 1024,
  /** A slow request is cut within 15 seconds, which is this time and the time between two looks. */
  slowClientMs: 13_000,
  slowClientCheckMs: 1_000,
  /** Time after which a client that reads no byte of its answer is cut off. */
  slowReaderMs: 30_000,
  /** Longest time without an answer on a connection before it is cut off: longer than the longest upload. */
  unusedConnectionMs: 900_000,
  /** Open connections beyond which those without a request make room. */
  connections: 10_000,
  /** Connections that wait to be accepted: beyond that a client tries again only after a second. */
  connectionsWaiting: 4_096,
  gracefulStopMs: 10_000,
  /**
   * Time that workers keep running when the server stops. Requests that still wait for one are then refused, while there is time
   * to answer.
   */
  workersStopMs: 5_000,
  /** Time after which a connection without a request is closed while the server stops. */
  silentConnectionMs: 1_000,
  compressFromBytes: 1024,
  /** Time of the database to answer, and time for which the answer counts. */
  readyMs: 2_000,
  readyCachedMs: 500,
  /** A series is late when it was not answered in full for this many of its provider's usual intervals. */
  lateDistances: 3,

  flagLength: 100,
  seriesCodeLength: 200,

  /** Bytes read from a file in one piece. */
  fileChunkBytes: 64 * 1024,
  /** Bad rows of an import that are named; the rest are counted, up to a bound for those the database finds. */
  importProblems: 1_000,
  importConflicts: 100_000,
  /** Restarts of an import because a series of its file appeared or changed while it was being read. */
  importAttempts: 5,
  /** New or newly described series sent to the database in one statement. */
  seriesPerStatement: 5_000,
  /** A table that is staged with more rows gets statistics for the planner. */
  rowsWithoutStatistics: 100,
  /** A longer element of an array of observations is refused. */
  jsonElementLength: 1_000_000,
  /** An answer in JSON that is nested deeper is refused. */
  jsonDepth: 500,
  /** Texts of a workbook are kept in memory, unlike its rows. */
  workbookTextsBytes: 200 * 1024 * 1024,
  workbookPartBytes: 50 * 1024 * 1024,
  workbookParts: 10_000,
  workbookColumns: 16_384,
  workbookNameLength: 1_000,
  /**
   * State that the parser of a workbook's XML keeps at once: open elements, attributes of one, bytes of one name, text or
   * comment.
   */
  workbookDepth: 64,
  workbookAttributes: 200,
  workbookPieceBytes: 8 * 1024 * 1024,
  /** A spreadsheet program writes at most 32,767 characters into a cell, and 65,490 styles. */
  workbookTextLength: 200_000,
  workbookStyles: 66_000,
  /** Cells of the rows in one piece of a worksheet. */
  workbookCellsKept: 1_000_000,
  /** Below this, a high ratio harms nobody: small parts of workbooks repeat themselves. */
  workbookRatioFromBytes: 1024 * 1024,
  /** State that the parser of an electronic invoice keeps at once, as above; no text that is read from one is longer. */
  invoiceDepth: 64,
  invoiceAttributes: 200,
  invoicePieceLength: 1024 * 1024,
  invoiceTextLength: 10_000,
  /** Bounds of files that come through the web; the operator's own may be larger. */
  upload: {
    wireBytes: 50 * 1024 * 1024,
    unpackedBytes: 200 * 1024 * 1024,
    ratio: 100,
    textsBytes: 50 * 1024 * 1024,
    rows: 1_000_000,
  },
  /** A file may take longer to arrive than any other request. */
  uploadMs: 600_000,
  /** The first bytes of a file: enough to recognise its kind. */
  uploadHeadBytes: 4096,
  /** Age at which files left behind by a crashed server are removed. */
  uploadLeftoverMs: 60 * 60 * 1000,
  /** Steps of a file's progress that a page is told. */
  uploadProgress: { rows: 20_000, ms: 250, silentMs: 5_000 },
  /** Problems and series of a file that a page is told; the rest is counted. */
  uploadProblems: 200,
  uploadSeries: 20_000,
  uploadSampleRows: 5,
  /** Series with rows to look at. */
  uploadSampleSeries: 1_000,
  /** Rows and cells of a file that a page gets before its layout is chosen: enough to recognise its columns and to draw them. */
  uploadLookRows: 500,
  uploadLookCells: 20_000,
  uploadLookCellLength: 200,
  uploadLookCharacters: 65_536,
  /** A layout in an address. */
  uploadLayoutLength: 8_000,
  /** Layouts that a workspace remembers: the newest. */
  uploadLayouts: 200,
  /** Changed values that are listed; the rest is counted. */
  uploadChanges: 5_000,
  /** Time to compute agreements with new values, the most new values, and the listed rows. */
  uploadEffects: { ms: 300_000, values: 200_000, rows: 1_000 },
  /** Kept invoice lines of a page, and lines that are looked through for one. */
  keptLines: { page: 100, looked: 2_000 },
  /** Lines that a page checks at once: it shows every one of them. */
  pageInvoiceLines: 20_000,
  /** Prices of one period that a page lists. */
  pagePrices: 500,
  progressMs: 100,
  /** Growth of an importing command's heap beyond its live objects before garbage is collected. */
  commandHeapGrowthPct: 30,

  /** The ends of series, for lists: enough for 40,000 of them. Suspicions about series: 8,000. */
  headsBytes: 16 * 1024 * 1024,
  suspectsBytes: 16 * 1024 * 1024,
  indexEventsBytes: 4 * 1024 * 1024,
  /** Sparklines in the list of series: how many at once, and of how many periods. */
  sparkSeries: 100,
  sparkPeriods: 36,
  /** Periods that are shown of an answer in quarantine. */
  quarantineSample: 8,
  /** Decisions about quarantined answers that are shown, the newest. */
  decidedRows: 20,

  /** Places for people who are not signed in, by address; and the size of their requests. */
  strangersPlaces: { atOnce: 512, each: 32, waitMs: 2_000 },
  strangersBodyBytes: 16 * 1024,
  /** Sessions that are remembered, so that their people do not use the places of those who are not signed in. */
  sessionsRemembered: 10_000,
  /** Connections of the console, and how many of them one workspace uses at a time. */
  consoleConnections: 10,
  consoleShare: 4,
  bodyProblems: 100,
  /** The built pages are kept in memory. */
  pages: { files: 2_000, bytes: 64 * 1024 * 1024 },

  /** A document that is previewed while it is written: its length, and how many are computed at once. */
  previewCharacters: 200_000,
  previews: { atOnce: 3, waiting: 30, timeoutMs: 10_000 },
  /** Parts of expressions and values of windows, over all periods, that a preview works through: half a second. */
  previewWork: 1_000_000,
  /** Histories that previews reuse while somebody types. */
  previewBytes: 64 * 1024 * 1024,
  /** Formulas that are opened at once for the rows of a list. */
  formulasAtOnce: 8,
  /** Versions of a formula, the newest, whose effect on every period is computed. */
  versionEffects: 30,
  /** Why signed numbers would differ today: periods of a table, the newest, and figures of one that are listed. */
  causes: { periods: 24, figures: 20 },
  /** Moments whose number is computed for the history of a period, the newest, and days on the slider of an agreement. */
  proposals: { moments: 300, days: 3_000 },
  /** Settled periods of a series from which it is said how much its first prints move. */
  firstPrints: 36,
  /** Rows of the overview and of the list of sign-offs; each agreement in the rows of a list is opened for it. */
  overviewRows: 20,
  overviewListed: 8,
  overviewDays: 30,
  overviewTogether: 5,
  /** Moments of the last weeks at which figures arrived, for one agreement, and affected contracts that are named. */
  overviewMoments: 4,
  overviewMoved: 12,
  /** Rows of money by supplier and by index on the first page; and days after its date until an unsigned period is late. */
  portfolio: { rows: 6, lateDays: 30 },
  recentSignOffs: 20,

  /** Changed series and agreements that are read one by one; if there are more, the whole list is read. */
  listChanges: 2_000,
  /** Pieces of one workspace's lists that are read at once while the whole is not in memory; further requests wait. */
  piecesAtOnce: 4,
  /** Rows of such lists that are worked on in one piece. */
  rowsTogether: 2_000,
  /** The state of agreements, for lists of thousands: enough memory for 35,000 of them with a hundred open periods each. */
  digestsBytes: 64 * 1024 * 1024,
  /** The newest numbers of agreements, for lists of /ext/v1: enough for 45,000 of them. */
  rowsBytes: 64 * 1024 * 1024,
  /** Prices of agreements, for lists of /ext/v1: enough for 100,000 of them. */
  pricesBytes: 64 * 1024 * 1024,
  /** Memory for the keys of other systems in price lists, and agreements that are read for them at once. */
  erpNamesBytes: 16 * 1024 * 1024,
  erpNamesAtOnce: 200,
  /** Pages over many series or agreements, of all workspaces. */
  momentsBytes: 64 * 1024 * 1024,
  /** Formulas that are read together for it. */
  digestsAtOnce: 16,
  /** Workspaces whose agreements are computed in parallel; the others take turns, those with few agreements first. */
  digestWorkspacesAtOnce: 4,
  /** With at least `from` agreements, that work pauses `restTimes` times as long as it ran. */
  manyDigests: { from: 2_000, restTimes: 4 },
  /** Time that work on a list runs before others have their turn. */
  sliceMs: 5,
  /** Wait of a page for agreements that still have to be computed; the rest is reported as missing. */
  digestWaitMs: 500,
  /** Time of a worker to compute the numbers of one list; the others are left out, and follow with the next request. */
  listMs: 5_000,
  /** Lists of agreements of one workspace that are made at once; more wait. */
  lists: { atOnce: 2, waiting: 30, timeoutMs: 20_000 },
  /**
   * Effects of publications: days that are looked back unless said otherwise, rows of a page, agreements that are read together,
   * bytes of answers that are kept, agreements that are computed between two turns of others, causes that a page lists, and
   * corrections that are proposed with one request.
   */
  radar: { days: 30, page: 200, together: 50, bytes: 32 * 1024 * 1024, atOnce: 8, causes: 200, proposals: 25 },
  /**
   * Due dates: days ahead that a page shows and that can be asked for, rows that are sent at once, releases on the timeline,
   * agreements that are named next to one, and bytes of known times of figures.
   */
  due: { days: 90, mostDays: 400, page: 200, releases: 300, readers: 8, bytes: 32 * 1024 * 1024 },
  /** Pause between looks for successors that were agreed in advance. */
  plansEveryMs: 3_600_000,
  termsChanges: { page: 100 },
  formulaPage: { usual: 50, most: 200 },
  formulaSearchLength: 200,
  /** Hits of each kind that the palette shows. */
  foundOfEach: 12,
  /** Rows of the inbox that are sent at once, of the person who asks and of others. */
  inboxRows: 1_000,
  /** Series that lists can be filtered by: those that most agreements read. */
  seriesChoices: 200,
  overviewTroubles: 50,
  overviewMonths: 12,
  /** Formulas that are named next to a figure they read, and on the page of a series. */
  overviewReaders: 5,
  seriesReaders: 100,

  /** Bounds of work on the main thread, where everybody waits. More work, or work over the small budget, is left to a worker. */
  usual: {
    vintages: 20_000,
    documents: 40_000,
    listCharacters: 500_000,
    radarAgreements: 10,
    fileAgreements: 10,
    heldTogether: 10_000,
  },
  /** Bounds of one worker. */
  workerCacheBytes: 48 * 1024 * 1024,
  workerConnections: 2,

  /** Vintages that the page of a series draws; if there are more, those of the newest periods. */
  drawnVintages: 100_000,

  /** Loads from the database under way at once; beyond it, who has more than its share of them is asked to try again. */
  loadsAtOnce: 400,

  cacheMb: { usual: 256, least: 16, most: 65_536 },
} as const
