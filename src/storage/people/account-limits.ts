// Bounds of accounts and invitations: they limit what strangers can make for other people.

export const accountLimits = {
  /** Salts of one address: it has one, unless an operator restored or changed something by hand. */
  saltsOfAddress: 8,
  /** Networks of an account's sign-ins that are remembered, the newest. */
  networksOfPerson: 50,
  /** Days that a browser is remembered after a sign-in. */
  knownBrowserDays: 365,
  /** Passkeys of people who sign in that are checked at once, each with two queries and a signature, and how many wait. */
  passkeyChecks: { atOnce: 4, waiting: 200, timeoutMs: 5_000 },
  /**
   * Invitations of a workspace that wait at a time; how long after its link an invitation ends by itself, and how many end
   * with each new one.
   */
  invitations: { open: 200, endAfterDays: 90, endedTogether: 20 },
  /** A session that an identity provider opened, however much it is used. */
  providerSessionHours: 12,
} as const
