// What providers are called in a table or in a sentence, and where series are filed. The names of the wire stay in codes.

/** By the name of the wire, as the session brings them from the providers' own files. */
export type ProviderNames = Readonly<Record<string, string>>

/** `WORLD_BANK` → `World Bank` */
export function writeProvider(provider: string, names: ProviderNames): string {
  return names[provider] ?? provider
}

interface Sourced {
  readonly provider: string
  /** Otherwise the workspace's own, whatever its code. */
  readonly isFollowed: boolean
}

/** Under which name a series is filed: its provider where we read it there, whatever code somebody uploaded it under. */
export function writeSource({ provider, isFollowed }: Sourced, names: ProviderNames): string {
  return isFollowed ? writeProvider(provider, names) : 'Own figures'
}

/** The source as it stands in an address. */
export function sourceKey({ provider, isFollowed }: Sourced): string {
  return isFollowed ? provider : 'own'
}

/** As formulas name it; what was uploaded under a provider's code says so. */
export function writeReference({ provider, code, isFollowed }: Sourced & { readonly code: string }): string {
  return `${provider}/${code}${isFollowed || provider === 'CUSTOM' ? '' : ', own figures'}`
}
