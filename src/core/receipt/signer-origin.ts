// Where a signer comes from, as the installation recorded it: who let them in, from which side, when they joined, when
// their keys were registered, and whether their company confirmed its people. It is part of what is signed, and it says no
// more than what was recorded: that an address is the person it names rests on whoever let them in.
import { hexHash, instant, listOf, mapping, nullable, oneOf, text, truth } from '../text/exact-shape.ts'
import type { Instant } from '../time/instant.ts'

/**
 * `OPERATOR`: by command, at the server. `COMPANY`: by a person of the company it is about. `WORKSPACE`: by somebody
 * else of the workspace.
 */
export const actingSides = ['OPERATOR', 'COMPANY', 'WORKSPACE'] as const
export type ActingSide = (typeof actingSides)[number]

/** Who did something about a person of a company, and from which side. */
export interface PeopleAct {
  /** An e-mail address, or `operator`; null where it was not recorded. */
  readonly by: string | null
  readonly at: Instant
  /** Null where it was not recorded. */
  readonly from: ActingSide | null
  /** Of who did it, in the workspace then. */
  readonly role: string | null
  readonly company: string | null
}

/** A new way in for somebody who had joined before. */
export interface RenewedWay extends PeopleAct {
  /** `LINK`: a link for a new password. `OPERATOR`: a password set by command. */
  readonly how: 'LINK' | 'OPERATOR'
  readonly usedAt: Instant
}

export interface SignerCompany {
  readonly slug: string
  /** Who put the address into it; null where it was not recorded. */
  readonly put: PeopleAct | null
  /** The newest list of its people that the company confirmed; null: none. */
  readonly confirmed: {
    readonly by: string
    readonly at: Instant
    /** Of the list, see company-people.ts. */
    readonly hash: string
    /** Whether the signer is in it. */
    readonly isListed: boolean
  } | null
}

export interface SignerOrigin {
  /** In the workspace, when they signed. */
  readonly role: string
  /** The newest invitation. */
  readonly invited: PeopleAct
  /** Null for somebody who has not joined, in whose name the operator signs. */
  readonly joinedAt: Instant | null
  /** The newest since they were invited; null: none was used. */
  readonly renewed: RenewedWay | null
  /** Null for somebody without one. */
  readonly company: SignerCompany | null
  /** Every key of the account, the oldest first. */
  readonly passkeys: readonly { readonly id: string; readonly registeredAt: Instant }[]
}

export function readSignerOrigin(value: unknown, path: string): SignerOrigin {
  const origin = mapping(value, path, ['role', 'invited', 'joinedAt', 'renewed', 'company', 'passkeys'])
  return {
    role: text(origin.role, `${path}.role`),
    invited: readAct(origin.invited, `${path}.invited`),
    joinedAt: nullable(origin.joinedAt, `${path}.joinedAt`, instant),
    renewed: nullable(origin.renewed, `${path}.renewed`, readRenewed),
    company: nullable(origin.company, `${path}.company`, readCompany),
    passkeys: listOf(origin.passkeys, `${path}.passkeys`, (item, at) => {
      const { id, registeredAt } = mapping(item, at, ['id', 'registeredAt'])
      return { id: text(id, `${at}.id`), registeredAt: instant(registeredAt, `${at}.registeredAt`) }
    }),
  }
}

const actKeys = ['by', 'at', 'from', 'role', 'company']

function readAct(value: unknown, path: string, more: readonly string[] = []): PeopleAct {
  const act = mapping(value, path, [...actKeys, ...more])
  return {
    by: nullable(act.by, `${path}.by`, text),
    at: instant(act.at, `${path}.at`),
    from: nullable(act.from, `${path}.from`, oneOf(actingSides)),
    role: nullable(act.role, `${path}.role`, text),
    company: nullable(act.company, `${path}.company`, text),
  }
}

function readRenewed(value: unknown, path: string): RenewedWay {
  const act = readAct(value, path, ['how', 'usedAt'])
  const { how, usedAt } = value as { readonly how: unknown; readonly usedAt: unknown }
  return { ...act, how: oneOf(['LINK', 'OPERATOR'])(how, `${path}.how`), usedAt: instant(usedAt, `${path}.usedAt`) }
}

function readCompany(value: unknown, path: string): SignerCompany {
  const company = mapping(value, path, ['slug', 'put', 'confirmed'])
  return {
    slug: text(company.slug, `${path}.slug`),
    put: nullable(company.put, `${path}.put`, readAct),
    confirmed: nullable(company.confirmed, `${path}.confirmed`, (item, at) => {
      const { by, at: when, hash, isListed } = mapping(item, at, ['by', 'at', 'hash', 'isListed'])
      return {
        by: text(by, `${at}.by`),
        at: instant(when, `${at}.at`),
        hash: hexHash(hash, `${at}.hash`),
        isListed: truth(isListed, `${at}.isListed`),
      }
    }),
  }
}

/** What is told of a signer in sentences, whatever was recorded. */
export interface SignerFacts {
  /** Left out where nothing was recorded. */
  readonly origin?: SignerOrigin | undefined
  /** The key that signed, where one did. */
  readonly credentialId: string | null
  /** As the body names the side: people by their addresses, a company by its slug, or nobody. */
  readonly side: readonly string[] | string | null | undefined
}

/** With the key or without one, by whom, let in by whom. Phrases to be joined by `; `. */
export function tellSignerOrigin(facts: SignerFacts): string[] {
  const { origin } = facts
  if (origin === undefined)
    return [
      facts.credentialId === null
        ? 'who invited the signer and when they joined was not recorded'
        : 'when the key was registered, who invited the signer and when they joined was not recorded',
      ...tellSide(facts),
    ]
  const key = origin.passkeys.find(({ id }) => id === facts.credentialId)
  const person = `by a person invited by ${tellAct(origin.invited)} on ${day(origin.invited.at)}`
  const joined = origin.joinedAt === null ? ', who has not joined' : `, who joined on ${day(origin.joinedAt)}`
  return [
    key === undefined ? `${person}${joined}` : `a key registered here on ${day(key.registeredAt)} ${person}${joined}`,
    ...(origin.role === 'owner' ? ['they are an owner of the workspace'] : []),
    ...tellRenewed(origin),
    ...tellCompany(origin),
    ...tellSide(facts),
  ]
}

function tellRenewed({ renewed }: SignerOrigin): string[] {
  if (renewed === null) return []
  if (renewed.how === 'OPERATOR') return [`the operator set a password for them on ${day(renewed.usedAt)}`]
  const made = `made by ${tellAct(renewed)} on ${day(renewed.at)}`
  return [`they came in again on ${day(renewed.usedAt)} with a link for a new password ${made}`]
}

function tellCompany({ company, invited }: SignerOrigin): string[] {
  if (company === null) return []
  const { slug, put, confirmed } = company
  const isApart = put !== null && (put.at !== invited.at || put.by !== invited.by)
  return [
    ...(isApart ? [`put into ${slug} by ${tellAct(put)} on ${day(put.at)}`] : []),
    confirmed === null
      ? `not confirmed by the company: ${slug} has not confirmed who its people are`
      : `${slug} confirmed its people on ${day(confirmed.at)} by ${confirmed.by}, ${confirmed.isListed ? 'this one among them' : 'this one not among them'} (list ${confirmed.hash})`,
  ]
}

function tellSide({ side }: SignerFacts): string[] {
  if (side === null) return ['the formula names nobody for this party: whoever has its role in the workspace signs']
  return Array.isArray(side) ? ['the formula names this party by e-mail address, not as a company'] : []
}

/** Who did it and from which side. */
export function tellAct({ by, from, role, company }: PeopleAct): string {
  if (from === 'OPERATOR') return by === null || by === 'operator' ? 'the operator' : `the operator, for ${by}`
  const who = by ?? 'somebody who was not recorded'
  if (from === null) return who
  if (from === 'COMPANY') return `${who} of the same company`
  return `${who} (${role ?? 'member'} of the workspace${company === null ? '' : `, of ${company}`})`
}

function day(at: Instant): string {
  return at.slice(0, 10)
}
