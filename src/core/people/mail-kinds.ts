// The kinds of mail there are, and how each is named to people.

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

/** They carry a one-time link that somebody made for the person. */
export const linkMailKinds = ['invitation', 'reset'] as const
export type LinkMailKind = (typeof linkMailKinds)[number]

export function isLinkKind(kind: string): kind is LinkMailKind {
  return (linkMailKinds as readonly string[]).includes(kind)
}

/**
 * The kinds a person may turn off: not links, not what is done about the people of their company, not that a connection that they
 * look after has ended, and not what waits for the operators.
 */
export const optionalMailKinds = ['signature', 'correction', 'objection', 'revision', 'late'] as const
export type OptionalMailKind = (typeof optionalMailKinds)[number]

export function isOptionalKind(kind: string): kind is OptionalMailKind {
  return (optionalMailKinds as readonly string[]).includes(kind)
}

/** Sent at once to everybody it is for, also to who chose a digest: links, and what cannot be turned off. */
export const promptMailKinds = mailKinds.filter(kind => !isOptionalKind(kind))

/** Of these an address gets one mail an hour at most. */
export const spacedMailKinds = [...optionalMailKinds, 'webhook', 'drift'] as const

/** The kinds that tell what waits for a signature: how much of it is counted when the mail is sent. */
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
