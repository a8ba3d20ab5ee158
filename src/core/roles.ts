// The roles of people in a workspace.

export const roles = ['owner', 'editor', 'buyer', 'supplier', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Roles that may change series, agreements, parties and keys. */
export const writers: readonly Role[] = ['owner', 'editor']
/** Everybody except suppliers, who see only their own agreements. */
export const insiders: readonly Role[] = roles.filter(role => role !== 'supplier')
