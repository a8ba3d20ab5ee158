// Key that encrypts the secrets of webhooks.

import type { KeyRing } from '../keys/key-ring.ts'
import { SealedText } from '../keys/sealed-text.ts'

export function webhookSecrets(ring: KeyRing): SealedText {
  return new SealedText(ring, 'webhook secrets')
}
