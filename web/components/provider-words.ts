// What providers are called in a table or in a sentence. The names of the wire stay in codes.

/** By the name of the wire, as the session brings them from the providers' own files. */
export type ProviderNames = Readonly<Record<string, string>>

/** `WORLD_BANK` → `World Bank`; the workspace's own are `Own`. */
export function writeProvider(provider: string, names: ProviderNames): string {
  return provider === 'CUSTOM' ? 'Own' : (names[provider] ?? provider)
}
