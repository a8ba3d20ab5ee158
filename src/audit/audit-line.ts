// What a destination of the audit stream takes, and what it is: it says that it has the lines, and what it does not have when it
// fails is told again.

/** One act as it is told. */
export interface AuditLine {
  /** JSON without a line break. */
  readonly text: string
  readonly atMs: number
  /** 1 to 4, as OCSF counts. */
  readonly severity: number
  readonly classUid: number
}

export interface Destination {
  /** In their order; when it is done, all of them are where they belong. */
  send(lines: readonly AuditLine[], signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** It asks to wait for so long. */
export class AskedToWait extends Error {
  readonly waitMs: number

  constructor(message: string, waitMs: number) {
    super(message)
    this.waitMs = waitMs
  }
}
