// A place that remembers the lines of the audit stream, and a process that writes them, for tests.
import { AuditStreaming } from '../../src/audit/stream.ts'
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

export class RememberedLines {
  readonly texts: string[] = []
  /** What happens when it has lines, before it says so. */
  onTold: () => Promise<void> = async () => {}

  async write(text: string): Promise<void> {
    this.texts.push(...text.trimEnd().split('\n'))
    await this.onTold()
  }

  get events(): readonly OcsfEvent[] {
    return this.texts.map(text => JSON.parse(text) as OcsfEvent)
  }
}

/** `holdMs`: others wait for so long when it ends without a word. */
export function streamTo(sql: Sql, name: string, lines: RememberedLines, holdMs?: number): AuditStreaming {
  const log = { info() {}, warn() {} }
  return new AuditStreaming({ sql, name, write: text => lines.write(text), log, nowMs: Date.now }, holdMs)
}

/** Until nothing is left to write. */
export async function tellAll(streaming: AuditStreaming): Promise<void> {
  while (((await streaming.turn(new AbortController().signal)) ?? 0) > 0);
}
