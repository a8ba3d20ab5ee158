// Names of providers for tables and sentences, and the source under which a series is listed. Codes keep the API's names.

/** Names by the provider's name in the API; the session gets them from the provider files. */
export type ProviderNames = Readonly<Record<string, string>>

/** `WORLD_BANK` → `World Bank` */
export function formatProvider(provider: string, names: ProviderNames): string {
  return names[provider] ?? provider
}

interface Sourced {
  readonly provider: string
  /** If false, the figures are the workspace's own, whatever the code. */
  readonly isFollowed: boolean
}

/** The source under which a series is listed: its provider if we read it there, own figures if uploaded, whatever the code. */
export function formatSource({ provider, isFollowed }: Sourced, names: ProviderNames): string {
  return isFollowed ? formatProvider(provider, names) : 'Own figures'
}

/** The source as it appears in an address. */
export function sourceKey({ provider, isFollowed }: Sourced): string {
  return isFollowed ? provider : 'own'
}

/** The reference as formulas write it; it says so if the figures were uploaded under a provider's code. */
export function formatReference({ provider, code, isFollowed }: Sourced & { readonly code: string }): string {
  return `${provider}/${code}${isFollowed || provider === 'CUSTOM' ? '' : ', own figures'}`
}
