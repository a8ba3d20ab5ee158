// Pages of a workspace and parts of its settings, as the navigation lists and the search finds them.
import type { Workspace } from '../../session.ts'

export const places = [
  { to: '/w/$ws', label: 'Overview' },
  { to: '/w/$ws/series', label: 'Series' },
  { to: '/w/$ws/agreements', label: 'Agreements' },
  { to: '/w/$ws/sign-offs', label: 'Sign-offs' },
  { to: '/w/$ws/due', label: 'Due' },
  { to: '/w/$ws/revisions', label: 'Revisions' },
  { to: '/w/$ws/index-changes', label: 'Index changes' },
  { to: '/w/$ws/ledgers', label: 'Ledgers' },
  { to: '/w/$ws/invoices', label: 'Invoices' },
  { to: '/w/$ws/bring-in', label: 'Bring data in' },
  { to: '/w/$ws/settings', label: 'Settings' },
] as const

export type PlacePath = (typeof places)[number]['to']

interface SettingsPlace {
  readonly id: string
  readonly label: string
  readonly isFor: (workspace: Pick<Workspace, 'role' | 'canEdit' | 'canManage'>) => boolean
}

export const settingsPlaces = [
  { id: 'keys', label: 'API keys', isFor: ({ canEdit }) => canEdit },
  { id: 'webhooks', label: 'Webhooks', isFor: ({ canEdit }) => canEdit },
  { id: 'people', label: 'People', isFor: ({ canManage }) => canManage },
  { id: 'sign-in', label: 'Sign-in', isFor: ({ canManage }) => canManage },
  { id: 'workspace', label: 'Workspace', isFor: () => true },
  { id: 'company', label: 'Your company', isFor: () => true },
  { id: 'parties', label: 'Parties', isFor: ({ role }) => role !== 'supplier' },
  { id: 'providers', label: 'Providers', isFor: ({ role }) => role !== 'supplier' },
  { id: 'activity', label: 'Activity', isFor: ({ role }) => role !== 'supplier' },
  { id: 'proof', label: 'Proof', isFor: () => true },
  { id: 'mail', label: 'Notifications', isFor: () => true },
  { id: 'sessions', label: 'Your sign-in', isFor: () => true },
] as const satisfies readonly SettingsPlace[]

export type SettingsPlaceId = (typeof settingsPlaces)[number]['id']
