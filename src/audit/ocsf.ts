// An act as one line of JSON of the Open Cybersecurity Schema Framework, version 1.3.0. The same act is the same bytes every time,
// streamed or exported: the line says nothing that is not stored with the act. Secrets are nowhere in it, and no figures.
import { type Act, acts, auditActivities, auditCategories, auditClasses, severities } from '../core/people/acts.ts'
import { visibleJson } from '../core/text/foreign-text.ts'
import { microsOf } from '../core/time/instant.ts'
import { type NotedAct, wholeInstallation } from '../storage/audit/audit-acts.ts'
import { auditLimits } from './audit-limits.ts'

const schemaVersion = '1.3.0'

/** The line, without the line break. */
export function ocsfLine(noted: NotedAct): string {
  return visibleJson(JSON.stringify(eventOf(noted)))
}

function eventOf(noted: NotedAct) {
  const rule = Object.hasOwn(acts, noted.act) ? acts[noted.act as Act] : unknownAct
  const { uid: classUid, name: className, category } = auditClasses[rule.of]
  const activities: Readonly<Record<string, number>> = auditActivities[rule.of]
  const activity = activities[rule.does]!
  return {
    category_uid: category,
    category_name: auditCategories[category],
    class_uid: classUid,
    class_name: className,
    activity_id: activity,
    activity_name: rule.does,
    type_uid: classUid * 100 + activity,
    type_name: `${className}: ${rule.does}`,
    severity_id: rule.severity,
    severity: severities[rule.severity],
    status_id: rule.isRefused ? 2 : 1,
    status: rule.isRefused ? 'Failure' : 'Success',
    time: Math.floor(microsOf(noted.at) / 1000),
    message: cut(noted.said),
    metadata: {
      version: schemaVersion,
      product: { name: 'Assize', vendor_name: 'Assize' },
      log_name: 'audit',
      event_code: noted.act,
      uid: noted.id,
      sequence: noted.number,
      ...(noted.tenant === wholeInstallation ? {} : { tenant_uid: noted.tenant }),
    },
    actor: { user: userOf(noted.who, noted.personId) },
    src_endpoint: noted.fromAddress === null ? { name: 'local' } : { ip: noted.fromAddress },
    ...aboutOf(rule, noted),
  }
}

/** An act of a newer program, in an installation that went back to this one. */
const unknownAct = {
  ...acts['workspace.change'],
  type: 'unknown',
  hidesSubject: true,
}

/** The subject of an act, as its class names it. */
function aboutOf({ of, type, hidesSubject }: (typeof acts)[Act], { subject, said, who, personId }: NotedAct) {
  if (of === 'entity') return { entity: { type: type!, name: hidesSubject ? type! : cut(subject) } }
  if (of === 'api')
    return {
      api: { operation: type!, service: { name: 'assize' } },
      resources: [{ type: 'installation', name: cut(subject) }],
    }
  // A person who signs in is also the subject of the act.
  const user = userOf(subject, subject === who ? personId : null)
  if (of === 'authentication') return { user, service: { name: 'assize' } }
  return of === 'access' ? { user, privileges: [cut(said)] } : { user }
}

function userOf(given: string, uid: string | null) {
  const name = cut(given)
  return {
    name,
    ...(name.includes('@') ? { email_addr: name } : {}),
    ...(uid === null ? {} : { uid }),
    type_id: name === 'operator' ? 2 : name === 'assize' ? 3 : 1,
  }
}

/** Cuts a name: a line is bounded. */
function cut(text: string): string {
  return text.length <= auditLimits.textLength ? text : `${text.slice(0, auditLimits.textLength)}…`
}
