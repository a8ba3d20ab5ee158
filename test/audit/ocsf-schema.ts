// What of the Open Cybersecurity Schema Framework 1.3.0 our lines use, written down from the published standard: attributes, their types,
// which of them a class requires, and the numbers of each enumeration. It is no copy of what the program has.

type Check = (value: unknown) => boolean

const text: Check = value => typeof value === 'string' && value.length > 0
const whole: Check = value => Number.isSafeInteger(value)
const oneOf =
  (...allowed: readonly unknown[]): Check =>
  value =>
    allowed.includes(value)
const listOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.length > 0 && value.every(check)

interface Shape {
  readonly required: Readonly<Record<string, Check>>
  readonly optional?: Readonly<Record<string, Check>>
  /** At least one of these. */
  readonly any?: readonly string[]
}

function fits({ required, optional = {}, any = [] }: Shape): Check {
  return value => {
    if (typeof value !== 'object' || value === null) return false
    const given = value as Readonly<Record<string, unknown>>
    const known = { ...required, ...optional }
    const isKnown = Object.entries(given).every(([name, each]) => known[name]?.(each) === true)
    const isWhole = Object.keys(required).every(name => Object.hasOwn(given, name))
    return isKnown && isWhole && (any.length === 0 || any.some(name => Object.hasOwn(given, name)))
  }
}

/** Types of users: 1 User, 2 Admin, 3 System. */
const user = fits({
  required: {},
  optional: { name: text, email_addr: text, uid: text, type_id: oneOf(0, 1, 2, 3, 99) },
  any: ['name', 'uid'],
})
const actor = fits({ required: { user } })
const endpoint = fits({ required: {}, optional: { ip: text, name: text }, any: ['ip', 'name'] })
const service = fits({ required: {}, optional: { name: text, uid: text }, any: ['name', 'uid'] })
const product = fits({ required: { vendor_name: text }, optional: { name: text, version: text } })
const metadata = fits({
  required: { version: oneOf('1.3.0'), product },
  optional: { log_name: text, event_code: text, uid: text, sequence: whole, tenant_uid: text },
})
const managedEntity = fits({ required: {}, optional: { name: text, uid: text, type: text }, any: ['name', 'uid'] })
const api = fits({ required: { operation: text }, optional: { service } })
const resource = fits({ required: {}, optional: { name: text, uid: text, type: text }, any: ['name', 'uid'] })

const base: Readonly<Record<string, Check>> = {
  category_uid: whole,
  class_uid: whole,
  activity_id: whole,
  type_uid: whole,
  severity_id: oneOf(0, 1, 2, 3, 4, 5, 6, 99),
  time: value => whole(value) && (value as number) > 1_000_000_000_000,
  metadata,
}
const beside: Readonly<Record<string, Check>> = {
  category_name: text,
  class_name: text,
  activity_name: text,
  type_name: text,
  severity: text,
  status_id: oneOf(0, 1, 2, 99),
  status: text,
  message: text,
  actor,
  src_endpoint: endpoint,
}

const crud = { 0: 'Unknown', 1: 'Create', 2: 'Read', 3: 'Update', 4: 'Delete', 99: 'Other' }

interface ClassShape {
  readonly name: string
  readonly category: number
  readonly categoryName: string
  readonly activities: Readonly<Record<number, string>>
  readonly required: Readonly<Record<string, Check>>
  readonly optional?: Readonly<Record<string, Check>>
}

const iam = { category: 3, categoryName: 'Identity & Access Management' }

const classes: Readonly<Record<number, ClassShape>> = {
  3001: {
    ...iam,
    name: 'Account Change',
    activities: {
      1: 'Create',
      2: 'Enable',
      3: 'Password Change',
      4: 'Password Reset',
      5: 'Disable',
      6: 'Delete',
      7: 'Attach Policy',
      8: 'Detach Policy',
      9: 'Lock',
      10: 'MFA Factor Enable',
      11: 'MFA Factor Disable',
    },
    required: { user },
  },
  3002: {
    ...iam,
    name: 'Authentication',
    activities: { 1: 'Logon', 2: 'Logoff', 3: 'Authentication Ticket', 4: 'Service Ticket Request' },
    // The class requires a service or a destination.
    required: { user, service },
  },
  3004: {
    ...iam,
    name: 'Entity Management',
    activities: {
      ...crud,
      5: 'Move',
      6: 'Enroll',
      7: 'Unenroll',
      8: 'Enable',
      9: 'Disable',
      10: 'Activate',
      11: 'Deactivate',
      12: 'Suspend',
      13: 'Resume',
    },
    required: { entity: managedEntity },
  },
  3005: {
    ...iam,
    name: 'User Access Management',
    activities: { 1: 'Assign Privileges', 2: 'Revoke Privileges' },
    required: { user, privileges: listOf(text) },
  },
  6003: {
    name: 'API Activity',
    category: 6,
    categoryName: 'Application Activity',
    activities: crud,
    required: { actor, api, src_endpoint: endpoint },
    optional: { resources: listOf(resource) },
  },
}

const severityNames: Readonly<Record<number, string>> = { 1: 'Informational', 2: 'Low', 3: 'Medium', 4: 'High' }

/** What is wrong with a line; nothing where all is well. */
export function ocsfProblems(given: unknown): readonly string[] {
  const event = given as Readonly<Record<string, unknown>>
  const shape = classes[event.class_uid as number]
  if (shape === undefined) return [`there is no class ${event.class_uid}`]
  const known = { ...beside, ...base, ...shape.optional, ...shape.required }
  const activity = shape.activities[event.activity_id as number]
  const wanted: Readonly<Record<string, unknown>> = {
    category_uid: shape.category,
    category_name: shape.categoryName,
    class_name: shape.name,
    activity_name: activity,
    type_name: `${shape.name}: ${activity}`,
    type_uid: (event.class_uid as number) * 100 + (event.activity_id as number),
    severity: severityNames[event.severity_id as number],
    status: { 1: 'Success', 2: 'Failure' }[event.status_id as number],
  }
  return [
    ...Object.keys({ ...base, ...shape.required }).flatMap(name => (Object.hasOwn(event, name) ? [] : [`no ${name}`])),
    ...Object.entries(event).flatMap(([name, value]) =>
      known[name]?.(value) === true ? [] : [`${name} does not fit`],
    ),
    ...(activity === undefined ? [`the class has no activity ${event.activity_id}`] : []),
    ...Object.entries(wanted).flatMap(([name, value]) => (event[name] === value ? [] : [`${name} is not ${value}`])),
  ]
}
