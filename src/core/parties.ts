// The two sides of an agreement.

export const parties = ['buyer', 'supplier'] as const
export type Party = (typeof parties)[number]

/** The ways in which a contract may want to be signed, the strictest first. */
export const signKinds = ['passkey', 'provider', 'password'] as const
export type SignKind = (typeof signKinds)[number]

/** Words for use after `signed`. */
const signKindWords: Readonly<Record<SignKind, string>> = {
  passkey: 'with a passkey',
  provider: 'by the identity provider of the company',
  password: 'with a password',
}

/** `with a passkey or with a password`; the strictest comes first. */
export function formatSignKinds(kinds: readonly SignKind[]): string {
  const words = signKinds.filter(kind => kinds.includes(kind)).map(kind => signKindWords[kind])
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(part => part !== '').join(' or ')
}
