// Rights of each role, in a few words.
import type { Role } from '../../../../src/views/shapes/session.ts'

export const roleWords: Readonly<Record<Role, string>> = {
  owner: 'everything, people included',
  editor: 'series, agreements, parties and keys',
  buyer: 'reads all, signs as buyer',
  supplier: 'sees only agreements that name them or their party',
  viewer: 'reads all, changes nothing',
}

export const roleChoices = (Object.keys(roleWords) as Role[]).map(role => ({
  value: role,
  label: `${role}: ${roleWords[role]}`,
}))
