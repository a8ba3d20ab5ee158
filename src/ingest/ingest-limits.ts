// Bounds of requests to providers and of their answers.

export const ingestLimits = {
  /** One answer of a provider, from the start of the request to the last byte, redirects included. */
  providerAnswerMs: 60_000,
  providerWireBytes: 50 * 1024 * 1024,
  providerUnpackedBytes: 200 * 1024 * 1024,
  /** Times larger that an answer may become when it is unpacked; small ones are not checked. */
  providerUnpackedRatio: 100,
  providerRatioFromBytes: 64 * 1024,
  providerRows: 1_000_000,
  /** Larger answers are received one at a time, over all providers. */
  providerLargeBytes: 4 * 1024 * 1024,
  /** Series of all providers that are compared and published at once; they are in memory meanwhile. */
  seriesPublishedAtOnce: 1,
  providerRedirects: 3,
  /** Pages and parts that one request may lead to. */
  providerChain: 60,
  /** Series that are requested and published together. */
  seriesTogether: { least: 1, usual: 20, most: 50 },
  /** Pauses between tries to begin the timetable, while the database is away. */
  timetableStartMs: { least: 1_000, most: 60_000 },
  providerTries: 3,
  providerBackoffMs: 500,
  /** Longest wait of a run for a provider's limit or its Retry-After; more is left to the next run. */
  providerLongestWaitMs: 120_000,
  /** Requests in a row without an answer after which a provider is not asked until the next run. */
  providerTroublesInARow: 3,
  /** Requests a minute below which a limit is counted by the hour, so that a few at once need not wait. */
  countedByMinuteFrom: 5,
  /** Years that a refresh looks back for revisions, and days between looks at everything. */
  refreshYears: 2,
  wholeHistoryEveryDays: 30,
  /** A rewritten part of the settled history that a person has to look at: more than one in ten, and never one alone. */
  rewrittenOneIn: 10,
  rewrittenLeast: 2,
  ingestProblemsKept: 100,
  /** Hours after an answer in which the timetable does not ask for a calendar again. */
  calendarHours: 20,
  searchResults: 50,
  /** Waits of a page: for a search, for its place within the provider's limits, and for a new series with its whole history. */
  pageSearchMs: 20_000,
  pageSearchWaitMs: 2_000,
  pageFollowMs: 90_000,
} as const
