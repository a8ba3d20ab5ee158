// Seals on stored rows: an HMAC under the server's secret over what the row says and where it stands. Access to the
// database alone is not enough to add a signature or to change what was signed. They are not the seals of receipts,
// which anybody with an API key can get for any number: these are made only when somebody signs, objects, or proposes or settles
// a correction.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'

/** Where a row stands: a row that is moved elsewhere is not valid there. */
export interface RowPlace {
  readonly kind:
    | 'receipt'
    | 'sign-off'
    | 'objection'
    | 'objection-answer'
    | 'correction'
    | 'correction-signature'
    | 'correction-refusal'
    | 'correction-note'
    | 'people'
  readonly workspaceId: string
  /** Of `people`: the company, or the workspace itself. */
  readonly pamId: string
}

export class RowSeals {
  readonly #key: Buffer

  /** From the key of the chains, as hexadecimal digits; theirs and this one open nothing of each other. */
  constructor(chainKey: string) {
    this.#key = createHmac('sha256', Buffer.from(chainKey, 'hex')).update('row seals').digest()
  }

  seal({ kind, workspaceId, pamId }: RowPlace, content: Json): Buffer {
    const text = canonicalJson({ kind, workspace: workspaceId, pam: pamId, content })
    return createHmac('sha256', this.#key).update(text).digest()
  }

  holds(place: RowPlace, content: Json, seal: Buffer | null): boolean {
    return seal?.length === 32 && timingSafeEqual(seal, this.seal(place, content))
  }
}
