// A destination that remembers what it was told, and a process that tells it, for tests of the audit stream.
import type { AuditLine, Destination } from '../../src/audit/audit-line.ts'
import { AuditStreaming } from '../../src/audit/streaming.ts'
import type { Sql } from '../../src/storage/postgres/database.ts'

export interface OcsfEvent {
  readonly class_uid: number
  readonly activity_id: number
  readonly status_id: number
  readonly message: string
  readonly metadata: {
    readonly uid: string
    readonly sequence: number
    readonly event_code: string
    readonly tenant_uid?: string
  }
  readonly actor: { readonly user: { readonly name: string; readonly uid?: string } }
  readonly src_endpoint: { readonly ip?: string; readonly name?: string }
  readonly entity?: { readonly type: string; readonly name: string }
}

export class RememberedLines implements Destination {
  readonly texts: string[] = []
  /** What happens when it has been told, before it says so. */
  onTold: () => Promise<void> = async () => {}

  async send(lines: readonly AuditLine[]): Promise<void> {
    this.texts.push(...lines.map(({ text }) => text))
    await this.onTold()
  }

  async close(): Promise<void> {}

  get events(): readonly OcsfEvent[] {
    return this.texts.map(text => JSON.parse(text) as OcsfEvent)
  }
}

/** `holdMs`: others wait for so long when it ends without a word. */
export function streamTo(sql: Sql, name: string, destination: Destination, holdMs?: number): AuditStreaming {
  const log = { info() {}, warn() {} }
  return new AuditStreaming({ sql, name, destination, log, nowMs: Date.now }, holdMs)
}

/** Until there is nothing left to tell. */
export async function tellAll(streaming: AuditStreaming): Promise<void> {
  while (((await streaming.turn(new AbortController().signal)) ?? 0) > 0);
}
