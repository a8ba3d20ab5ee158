// Longest texts that forms accept.
import type { TextBounds } from '../../../src/views/calls/text-bounds.ts'

export const textBounds: TextBounds = {
  name: 200,
  slug: 63,
  passkeyName: 60,
  words: 4_000,
  webhookAddress: 500,
  batchEntries: 500,
}
