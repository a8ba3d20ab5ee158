// Acts concerning the people of a workspace, in words for those concerned: the other people of the company, or the person
// themselves.
import { type ActingSide, formatAct } from '../receipt/signer-origin.ts'

/** The word for each act in a sentence that begins with the person concerned. */
const words = {
  INVITED: 'was invited',
  PASSWORD_LINK: 'was given a link for a new password',
  JOINED: 'joined',
  JOINED_AGAIN: 'used the link for a new password and came in again',
  PASSWORD_SET: 'was given a new password',
  PASSKEY: 'registered a passkey',
  FACTORS_RESET: 'lost their passkeys and one-time codes',
  MOVED_IN: 'was put into your company',
  MOVED_OUT: 'was taken out of your company',
  REMOVED: 'was removed from the workspace',
  WITHDRAWN: 'is no longer invited',
  ADMINISTRATOR: 'was named an administrator',
  CONFIRMED: 'confirmed the list of your people',
} as const

export type PeopleEventKind = keyof typeof words

/** Kinds that only happen once somebody of the company has joined. */
export const ownKinds: readonly PeopleEventKind[] = [
  'JOINED',
  'JOINED_AGAIN',
  'PASSWORD_LINK',
  'PASSWORD_SET',
  'PASSKEY',
  'FACTORS_RESET',
  'MOVED_OUT',
  'REMOVED',
  'ADMINISTRATOR',
  'CONFIRMED',
]

/** Whether a person hears of an event: of their own acts only where somebody else may have acted as them. */
export function isToldTo(email: string, event: Pick<ReportedEvent, 'kind' | 'by'>): boolean {
  return event.by.toLowerCase() !== email || event.kind === 'JOINED_AGAIN' || event.kind === 'PASSKEY'
}

interface ReportedEvent {
  readonly kind: PeopleEventKind
  readonly email: string
  readonly by: string
  readonly from: ActingSide
  readonly role: string | null
  readonly company: string | null
}

/** The end of a sentence that begins with the address: `was invited by olga@buyer.test (owner of the workspace)`. */
export function formatPeopleEvent(event: ReportedEvent): string {
  const isByOperator = event.from === 'OPERATOR'
  const what = isByOperator && event.kind === 'JOINED' ? 'was given a first password' : words[event.kind]
  return event.by === event.email && !isByOperator ? what : `${what} by ${formatAct({ ...event, at: '' })}`
}
