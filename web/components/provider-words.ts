// What providers are called in a sentence. The names of the wire stay in codes.

const providerNames: Readonly<Record<string, string>> = {
  WORLD_BANK: 'World Bank',
  EUROSTAT: 'Eurostat',
  STATCAN: 'Statistics Canada',
  BOJ: 'Bank of Japan',
  DBNOMICS: 'DBnomics',
  NASDAQ_DATA_LINK: 'Nasdaq Data Link',
  CUSTOM: 'Own',
}

/** `WORLD_BANK` → `World Bank`; the workspace's own are `Own`. */
export function writeProvider(provider: string): string {
  return providerNames[provider] ?? provider
}
