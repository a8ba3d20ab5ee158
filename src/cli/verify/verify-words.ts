// Words of `verify` about a receipt's issuer, parties, seal and signatures, for any kind of receipt.
import { parties as sides } from '../../core/parties.ts'
import { formatSigner, type PartySignature } from '../../core/receipt/party-signature.ts'
import type { Signature, SignedHead } from '../../core/receipt/receipt.ts'
import type { JudgedSignature, Trust } from '../../core/receipt/verdict.ts'

export function formatIssuer({ installation, workspace }: Pick<SignedHead, 'installation' | 'workspace'>): string {
  if (installation === null || workspace === null) return 'it does not say who issued it'
  const name = installation.name === null ? '' : ` (${installation.name})`
  return `issued by ${installation.id}${name}, workspace ${workspace.slug} (${workspace.name}, ${workspace.id})`
}

/** The parties that are named as companies. */
export function formatParties({ parties, companies }: Pick<SignedHead, 'parties' | 'companies'>): string[] {
  return sides.flatMap(side => {
    const named = parties[side]
    if (typeof named !== 'string') return []
    const name = companies?.[named]
    return [`the ${side} is ${name === undefined ? named : `${name} (${named})`}`]
  })
}

interface ToldSeal {
  readonly seal: Signature | null
  readonly trust: Trust
  readonly sealedBefore?: readonly string[]
}

export function formatSeal({ seal, trust, sealedBefore: [ended, ...before] = [] }: ToldSeal): readonly string[] {
  const key = `sealed by ed25519:${seal!.publicKey}`
  if (ended !== undefined) return [`${key}, ${ended}`, ...before]
  return [
    trust === 'trusted'
      ? `${key}, a key that you trust`
      : `${key}, which was not compared with a key that you trust (--trust)`,
  ]
}

const meansWords: Readonly<Record<PartySignature['means'], string>> = {
  PASSKEY: 'with a passkey, checked here',
  PROVIDER: 'by the identity provider of their company',
  PASSWORD: 'with a password, recorded by the server that issued it',
  OPERATOR: "by the operator, in the person's name",
}

/** A signature with its signer's origin: no more than was recorded. */
export function formatSignature(judged: JudgedSignature, { parties }: Pick<SignedHead, 'parties'>): string[] {
  const { party, signedBy, name, signedAt, means, redacted } = judged.signature
  const person = name === '' || redacted !== undefined ? signedBy : `${name} (${signedBy})`
  return [
    `signed for the ${party} by ${person} on ${signedAt.slice(0, 10)} ${meansWords[means]}`,
    ...formatIssuerKey(judged).map(each => `  ${each}`),
    ...formatSigner(judged.signature, parties).map(each => `  ${each}`),
  ]
}

/** Whether the provider's key was compared with one that the reader trusts. */
function formatIssuerKey({ signature: { provider }, issuerTrust }: JudgedSignature): string[] {
  if (provider === undefined || issuerTrust === undefined) return []
  return [
    issuerTrust === 'trusted'
      ? `its token is checked here, under a key of ${provider.issuer} that you trust`
      : `its token is checked here; its key was not compared with one of ${provider.issuer} that you trust (--trust-issuer)`,
  ]
}

/** A signature for programs: its verdict and the record of its signer, as data and in words. */
export function presentSignature(judged: JudgedSignature, { parties }: Pick<SignedHead, 'parties'>) {
  const { signature, whose, problem, issuerTrust } = judged
  const { party, signedBy, signedAt, means, provider, origin = null } = signature
  const vouched =
    provider === undefined
      ? {}
      : {
          issuer: provider.issuer,
          subject: provider.subject,
          keyTrust: issuerTrust ?? null,
          proofFollows: 'proof' in provider,
        }
  const told = formatSigner(signature, parties)
  return { party, signedBy, signedAt, means, whose, problem, ...vouched, origin, told }
}
