// Scopes of keys. Each scope includes those before it; `all` includes everything added later.
export const keyScopes = ['read', 'money', 'all'] as const
export type KeyScope = (typeof keyScopes)[number]

/** Whether a key of one scope may read what needs another. */
export function covers(scope: KeyScope, needed: KeyScope): boolean {
  return keyScopes.indexOf(scope) >= keyScopes.indexOf(needed)
}
