// Bounds on work under way: arriving bodies and files, requests that are worked on, and jobs of workers, in all, of one workspace
// and of one person. Of places that are shared out, a workspace gets no more than are still free.

export const placeLimits = {
  /** Console requests whose session is looked up at once, beside the API, in all and of one person; more are asked to try again. */
  consolePlaces: { atOnce: 64, each: 24, waitMs: 0 },
  /**
   * Console requests that are worked on: in all, of one workspace, of one person there. A request that waits for a worker is not
   * one of them, nor is one whose body is still arriving.
   */
  consoleWork: { atOnce: 192, perGroup: 32, perPerson: 24 },
  /** Console requests whose body is arriving. */
  arrivingBodies: { atOnce: 256, perGroup: 64, perPerson: 24 },

  /** Least rate of a body that may take longer than others; a slower one is cut off. */
  slowestBody: { bytes: 40_000, everyMs: 10_000 },
  /** Files that arrive at once: in all, of one workspace, of one person. And their room on the disk, also while they are read. */
  arrivingFiles: { atOnce: 32, perGroup: 8, perPerson: 4 },
  spoolBytes: { all: 2 * 1024 ** 3, ofWorkspace: 512 * 1024 ** 2 },
  /** Largest file of text that is read quickly. */
  shortUploadBytes: 256 * 1024,

  /**
   * Workers for heavy computing and encoding, and for documents that are previewed or saved. One more is for short work. A
   * job may wait longer than one may take; a workspace that used more than `heavyMs` lately leaves a thread to the others.
   */
  computing: {
    threads: 2,
    heapMb: 768,
    waiting: 160,
    waitingPerWorkspace: 40,
    waitingPerPerson: 24,
    waitMs: 30_000,
    jobMs: 20_000,
    shortMs: 3_000,
    heavyMs: 10_000,
    halfLifeMs: 30_000,
  },
  /** Workers that read uploaded files. */
  fileReading: {
    threads: 2,
    heapMb: 160,
    waiting: 64,
    waitingPerWorkspace: 16,
    waitingPerPerson: 16,
    waitMs: 660_000,
    jobMs: 600_000,
    shortMs: 10_000,
    heavyMs: 30_000,
    halfLifeMs: 120_000,
  },

  /** Idle time after which a connection is closed. */
  keepAliveMs: 65_000,

  /** Time between log lines while the database is away. */
  awayToldMs: 10_000,
} as const
