// The two sides of an agreement.

export const parties = ['buyer', 'supplier'] as const
export type Party = (typeof parties)[number]
