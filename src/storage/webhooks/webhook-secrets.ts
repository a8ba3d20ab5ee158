// The key under which the secrets of webhooks are kept.
import { SealedText } from '../identity/sealed-text.ts'
import { deriveKey } from '../log/secret.ts'

export function webhookSecrets(secret: string): SealedText {
  return new SealedText(deriveKey(secret, 'webhook secrets'))
}
