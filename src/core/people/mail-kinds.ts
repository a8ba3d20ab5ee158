// The kinds of mail, and their names for people.

const mailKinds = [
  'invitation',
  'reset',
  'people',
  'webhook',
  'drift',
  'signature',
  'correction',
  'objection',
  'revision',
  'late',
] as const
export type MailKind = (typeof mailKinds)[number]

/** Kinds with a one-time link that somebody made for the person. */
export const linkMailKinds = ['invitation', 'reset'] as const
export type LinkMailKind = (typeof linkMailKinds)[number]

export function isLinkKind(kind: string): kind is LinkMailKind {
  return (linkMailKinds as readonly string[]).includes(kind)
}

/**
 * The kinds a person may turn off: no links, no news about the people of their company, no end of a connection that they look
 * after, and no tasks for the operators.
 */
export const optionalMailKinds = ['signature', 'correction', 'objection', 'revision', 'late'] as const
export type OptionalMailKind = (typeof optionalMailKinds)[number]

export function isOptionalKind(kind: string): kind is OptionalMailKind {
  return (optionalMailKinds as readonly string[]).includes(kind)
}

/** Kinds sent at once to every recipient, also with a digest chosen: links, and kinds that cannot be turned off. */
export const promptMailKinds = mailKinds.filter(kind => !isOptionalKind(kind))

/** Kinds of which an address gets one mail an hour at most. */
export const spacedMailKinds = [...optionalMailKinds, 'webhook', 'drift'] as const

/** The kinds about waiting signatures, whose number is counted when the mail is sent. */
const waitingMailKinds = ['signature', 'correction'] as const
export type WaitingMailKind = (typeof waitingMailKinds)[number]

export function isWaitingKind(kind: string): kind is WaitingMailKind {
  return (waitingMailKinds as readonly string[]).includes(kind)
}

interface KindWords {
  readonly title: string
  readonly when: string
}

export const mailKindWords: Readonly<Record<OptionalMailKind, KindWords>> = {
  signature: { title: 'Waiting for your signature', when: 'a number can be signed by your side' },
  correction: { title: 'Corrections', when: 'a correction of signed prices can be signed by your side' },
  objection: { title: 'Objections', when: 'the other side objects, answers or withdraws' },
  revision: { title: 'Revised figures', when: 'a figure behind an agreement that you sign is revised' },
  late: {
    title: 'Late figures',
    when: 'a figure that an agreement waits for is late, or will not come',
  },
}
