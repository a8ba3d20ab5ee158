// The key under which the secrets of webhooks are kept.
import { SealedText } from '../storage/identity/sealed-text.ts'
import { deriveKey } from '../storage/log/secret.ts'

export function webhookSecrets(secret: string): SealedText {
  return new SealedText(deriveKey(secret, 'webhook secrets'))
}
