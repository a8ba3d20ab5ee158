// The origin of a signer, as the installation recorded it: who let them in, from which side, when they joined, when their keys
// were registered, and whether their company confirmed its people. It is part of the signed content, and it says no more than
// was recorded: that an address is the person it names rests on whoever let them in.
import {
  hexHash,
  instant,
  listOf,
  mapping,
  oneOf,
  optional,
  orNull,
  text,
  truth,
  type Written,
  type WrittenFields,
} from '../text/exact-shape.ts'
import type { Instant } from '../time/instant.ts'

/**
 * `OPERATOR`: by command, at the server. `COMPANY`: by a person of the company it is about. `WORKSPACE`: by somebody
 * else of the workspace.
 */
const actingSides = ['OPERATOR', 'COMPANY', 'WORKSPACE'] as const
export type ActingSide = (typeof actingSides)[number]

const actFields = {
  by: orNull(text(), 'E-mail address, or `operator`; null where it was not recorded'),
  at: instant('When'),
  from: orNull(
    oneOf(actingSides, 'From which side; null where a group at the identity provider let them in'),
    'OPERATOR: by command at the server; COMPANY: by a person of the same company; WORKSPACE: by somebody else of the workspace',
  ),
  role: orNull(text(), 'Of who did it, in the workspace then'),
  company: orNull(text(), 'Of who did it then'),
}

/** An act concerning a person of a company, with the actor and their side. */
export type PeopleAct = WrittenFields<typeof actFields>

const renewedWay = mapping('A new way in.', {
  ...actFields,
  how: oneOf(['LINK', 'OPERATOR'], 'LINK: a link for a new password; OPERATOR: a password set by command'),
  usedAt: instant('When it was used'),
})

/** A new way in for somebody who had joined before. */
export type RenewedWay = Written<typeof renewedWay>

const signerCompany = mapping('The company.', {
  slug: text('Of the party'),
  put: orNull(mapping('Who put the signer into it.', actFields), 'Null where it was not recorded'),
  confirmed: orNull(
    mapping('The list of its people that the company confirmed.', {
      by: text('E-mail address of its administrator'),
      at: instant('When'),
      // See people/company-people.ts.
      hash: hexHash('Of the list'),
      isListed: truth('Whether the signer is in it'),
    }),
    'Null: it has confirmed none',
  ),
})

export type SignerCompany = Written<typeof signerCompany>

export const signerOrigin = mapping(
  'Where the signer comes from, as it was recorded. A passkey or a provider signs it together with the hash.',
  {
    role: text('Of the signer in the workspace'),
    invited: mapping('The newest invitation.', actFields),
    joinedAt: orNull(instant('When they joined'), 'Null for somebody in whose name the operator signed'),
    renewed: orNull(renewedWay, 'The newest link for a new password that was used, or password set by the operator'),
    company: orNull(signerCompany, 'Null for somebody without one'),
    // Every key of the account, the oldest first.
    passkeys: listOf(
      mapping('A key of the signer’s account.', { id: text('Of the credential'), registeredAt: instant('When') }),
    ),
    identities: optional(
      listOf(
        mapping('Who the signer is at an identity provider.', {
          issuer: text('The provider’s address'),
          subject: text('As the provider names the person'),
          linkedAt: instant('When the account was linked to it'),
        }),
        'Left out where the account is linked to none',
      ),
    ),
  },
)

export type SignerOrigin = Written<typeof signerOrigin>

/** The facts about a signer that sentences are made of, whatever was recorded. */
interface SignerFacts {
  /** Left out where nothing was recorded. */
  readonly origin?: SignerOrigin | undefined
  /** The key that signed, where one did. */
  readonly credentialId: string | null
  /** The side as the body names it: people by their addresses, a company by its slug, or nobody. */
  readonly side: readonly string[] | string | null | undefined
}

/** The signer's key and the people who let them in. Phrases to be joined by `; `. */
export function formatSignerOrigin(facts: SignerFacts): string[] {
  const { origin } = facts
  if (origin === undefined)
    return ['who invited the signer and when they joined was not recorded', ...formatSide(facts)]
  const key = origin.passkeys.find(({ id }) => id === facts.credentialId)
  const person = `by a person invited by ${formatAct(origin.invited)} on ${day(origin.invited.at)}`
  const joined = origin.joinedAt === null ? ', who has not joined' : `, who joined on ${day(origin.joinedAt)}`
  return [
    key === undefined ? `${person}${joined}` : `a key registered here on ${day(key.registeredAt)} ${person}${joined}`,
    ...(origin.role === 'owner' ? ['they are an owner of the workspace'] : []),
    ...formatRenewed(origin),
    ...formatCompany(origin),
    ...formatSide(facts),
  ]
}

function formatRenewed({ renewed }: SignerOrigin): string[] {
  if (renewed === null) return []
  if (renewed.how === 'OPERATOR') return [`the operator set a password for them on ${day(renewed.usedAt)}`]
  const made = `made by ${formatAct(renewed)} on ${day(renewed.at)}`
  return [`they came in again on ${day(renewed.usedAt)} with a link for a new password ${made}`]
}

function formatCompany({ company, invited }: SignerOrigin): string[] {
  if (company === null) return []
  const { slug, put, confirmed } = company
  const isApart = put !== null && (put.at !== invited.at || put.by !== invited.by)
  return [
    ...(isApart ? [`put into ${slug} by ${formatAct(put)} on ${day(put.at)}`] : []),
    confirmed === null
      ? `not confirmed by the company: ${slug} has not confirmed who its people are`
      : `${slug} confirmed its people on ${day(confirmed.at)} by ${confirmed.by}, ${confirmed.isListed ? 'this one among them' : 'this one not among them'} (list ${confirmed.hash})`,
  ]
}

function formatSide({ side }: SignerFacts): string[] {
  if (side === null) return ['the agreement names nobody for this party: whoever has its role in the workspace signs']
  return Array.isArray(side) ? ['the agreement names this party by e-mail address, not as a company'] : []
}

/** The actor and their side, in words. */
export function formatAct({ by, from, role, company }: PeopleAct): string {
  if (from === 'OPERATOR') return by === null || by === 'operator' ? 'the operator' : `the operator, for ${by}`
  const who = by ?? 'somebody who was not recorded'
  if (from === null) return who
  if (from === 'COMPANY') return `${who} of the same company`
  return `${who} (${role ?? 'member'} of the workspace${company === null ? '' : `, of ${company}`})`
}

function day(at: Instant): string {
  return at.slice(0, 10)
}
