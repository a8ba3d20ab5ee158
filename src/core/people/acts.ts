// Every kind of act that goes to watchers outside an installation, with its place in the Open Cybersecurity Schema Framework
// (OCSF): its class, its activity, its severity and its object. Another kind is one line here; a noted act without one does not
// compile.

/** Classes of OCSF that our acts belong to, and their categories. */
export const auditClasses = {
  account: { uid: 3001, name: 'Account Change', category: 3 },
  authentication: { uid: 3002, name: 'Authentication', category: 3 },
  entity: { uid: 3004, name: 'Entity Management', category: 3 },
  access: { uid: 3005, name: 'User Access Management', category: 3 },
  api: { uid: 6003, name: 'API Activity', category: 6 },
} as const

export const auditCategories = { 3: 'Identity & Access Management', 6: 'Application Activity' } as const

/** The activities of each class that acts here have. */
export const auditActivities = {
  account: {
    Create: 1,
    Enable: 2,
    'Password Change': 3,
    'Password Reset': 4,
    Disable: 5,
    Delete: 6,
    'MFA Factor Enable': 10,
    'MFA Factor Disable': 11,
  },
  authentication: { Logon: 1, Logoff: 2 },
  entity: { Create: 1, Update: 3, Delete: 4, Enable: 8, Disable: 9 },
  access: { 'Assign Privileges': 1, 'Revoke Privileges': 2 },
  api: { Create: 1, Read: 2, Update: 3, Delete: 4 },
} as const

export const severities = { 1: 'Informational', 2: 'Low', 3: 'Medium', 4: 'High' } as const
type Severity = keyof typeof severities

type ClassName = keyof typeof auditClasses

interface ActRule {
  readonly of: ClassName
  readonly does: string
  readonly severity: Severity
  /** The type of an entity; for the API the operation. */
  readonly type: string | null
  readonly isRefused: boolean
  /** The subject is left out: it can hold a figure. */
  readonly hidesSubject: boolean
}

type ActivityOf<C extends ClassName> = keyof (typeof auditActivities)[C] & string

function rule<C extends ClassName>(of: C, does: ActivityOf<C>, more: Partial<ActRule> = {}): ActRule {
  return { of, does, severity: 1, type: null, isRefused: false, hidesSubject: false, ...more }
}

const account = (does: ActivityOf<'account'>, severity: Severity = 1) => rule('account', does, { severity })
const access = (does: ActivityOf<'access'>, severity: Severity = 2) => rule('access', does, { severity })
const entity = (type: string, does: ActivityOf<'entity'>, severity: Severity = 1) =>
  rule('entity', does, { type, severity })
const operator = (type: string, does: ActivityOf<'api'>, severity: Severity = 2) =>
  rule('api', does, { type, severity })

const kinds = {
  'sign-in': rule('authentication', 'Logon'),
  'sign-in.refused': rule('authentication', 'Logon', { severity: 2, isRefused: true }),
  'sign-out': rule('authentication', 'Logoff'),
  'session.end': rule('authentication', 'Logoff'),

  'person.invite': account('Create'),
  'person.link': account('Password Reset'),
  'person.join': account('Enable'),
  'person.remove': account('Delete', 2),
  'person.erase': account('Delete', 3),
  'invitation.end': account('Disable'),
  'password.change': account('Password Change'),
  'password.reset': account('Password Reset', 2),
  'factor.add': account('MFA Factor Enable'),
  'factor.remove': account('MFA Factor Disable', 2),

  'role.change': access('Assign Privileges'),
  'party.change': access('Assign Privileges'),
  'party.administrator': access('Assign Privileges'),
  'party.administrator.remove': access('Revoke Privileges'),
  'access.lose': access('Revoke Privileges'),
  'operator.add': access('Assign Privileges', 3),
  'operator.remove': access('Revoke Privileges', 3),

  'key.create': entity('API key', 'Create', 2),
  'key.change': entity('API key', 'Update', 2),
  'key.revoke': entity('API key', 'Disable'),
  'feed.create': entity('calendar feed', 'Create'),
  'feed.revoke': entity('calendar feed', 'Disable'),
  'webhook.create': entity('webhook', 'Create', 2),
  'webhook.change': entity('webhook', 'Update'),
  'webhook.enable': entity('webhook', 'Enable'),
  'webhook.disable': entity('webhook', 'Disable'),
  'provider.set': entity('identity provider', 'Update', 3),
  'provider.remove': entity('identity provider', 'Delete', 3),
  'party.create': entity('party', 'Create'),
  'party.rename': entity('party', 'Update'),
  'party.billing': entity('party', 'Update', 2),
  'party.people.confirm': entity('party', 'Update'),
  'workspace.create': entity('workspace', 'Create'),
  'workspace.change': entity('workspace', 'Update'),

  'series.follow': entity('series', 'Create'),
  'series.import': entity('series', 'Update'),
  'series.quarantine': entity('series', 'Update', 2),
  'calendar.quarantine': entity('release calendar', 'Update', 2),
  'index-event.add': entity('event of an index', 'Create'),
  'unit.set': rule('entity', 'Update', { type: 'unit', hidesSubject: true }),

  'agreement.create': entity('agreement', 'Create'),
  'agreement.change': entity('agreement', 'Update'),
  'prices.change': entity('price list', 'Update'),
  'invoice.import': entity('invoice lines', 'Create'),
  'invoice.reverse': entity('invoice', 'Delete'),
  'quantity.import': entity('quantities', 'Create'),
  'objection.say': entity('objection', 'Create'),
  'objection.answer': entity('objection', 'Update'),
  'correction.propose': entity('correction', 'Create'),
  'correction.refuse': entity('correction', 'Update'),
  'correction.note': entity('note of a correction', 'Create'),
  'terms.propose': entity('change of terms', 'Create'),
  'terms.refuse': entity('change of terms', 'Update'),
  'signature.give': entity('signature', 'Create', 2),

  'installation.migrate': operator('migrate', 'Update'),
  'installation.backup': operator('backup', 'Read', 3),
  'installation.restore': operator('restore', 'Create', 4),
  'clock.repair': operator('clock repair', 'Update', 3),
  'log.fork': operator('log fork', 'Create', 4),
  'log.resume': operator('log resume', 'Update', 4),
  'secret.add': operator('server secret added', 'Create', 3),
  'secret.rotate': operator('server secret rotation', 'Update', 4),
  'secret.remove': operator('server secret removed', 'Delete', 4),
  'refresh.run': operator('refresh', 'Update', 1),
  'audit.export': operator('audit export', 'Read'),
} as const satisfies Readonly<Record<string, ActRule>>

export type Act = keyof typeof kinds

export const acts: Readonly<Record<Act, ActRule>> = kinds

export const allActs = Object.keys(kinds) as readonly Act[]
