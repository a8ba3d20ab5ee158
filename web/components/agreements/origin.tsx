// Origin of a version of the terms, a price list or billing terms: whether both sides agreed on it.
import { formatDate } from '../../../src/core/text/words.ts'
import type { VersionOrigin } from '../../../src/views/shapes/versions.ts'
import { useWorkspace } from '../../session.ts'
import { State } from '../figures/figures.tsx'
import { TextLink } from '../page/links.tsx'

interface OriginProps {
  readonly origin: VersionOrigin
  readonly of: keyof typeof words
}

const words = {
  version: { name: 'version', alone: 'Changed by one side', consent: 'agree to it by an amendment, or to other terms' },
  billing: {
    name: 'billing version',
    alone: 'Changed by one side',
    consent: 'agree to it by an amendment, or to other terms',
  },
  list: { name: 'price list', alone: 'Applied by one side', consent: 'agree to the same list, or to another' },
} as const

export function Origin({ origin, of }: OriginProps) {
  const { slug: ws } = useWorkspace()
  const { name, alone, consent } = words[of]
  if (origin.kind === 'WITHOUT_YOU')
    return (
      <p>
        <State kind={origin.needsConsent ? 'waiting' : 'plain'}>
          This {name} was {origin.words}
        </State>
        {origin.needsConsent && `. Before you sign a number under it, ${consent}.`}
      </p>
    )
  if (origin.kind !== 'BOTH')
    return (
      origin.kind === 'ONE_SIDE' && (
        <p>
          <State kind="plain">{alone}</State>
        </p>
      )
    )
  const { proposal, agreedBy, plannedBy } = origin
  const last = agreedBy
    .map(({ at }) => at)
    .sort()
    .at(-1)
  return (
    <p>
      <State kind="good">
        {plannedBy === null
          ? `Agreed by both${last === undefined ? '' : `, ${formatDate(last)}`}`
          : `Agreed in advance, in version ${plannedBy.toString()}`}
      </State>{' '}
      <TextLink to="/w/$ws/index-changes/$id" params={{ ws, id: proposal }}>
        The proposal
      </TextLink>
    </p>
  )
}
