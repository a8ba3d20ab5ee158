// Facts and suspicions about an index: each with its sentence, its source and the evidence in our figures.
import { formatDate } from '../../../src/core/text/words.ts'
import type { IndexFact } from '../../../src/views/shapes/index-changes.ts'
import { useWorkspace } from '../../session.ts'
import { State } from '../figures/figures.tsx'
import { TextLink } from '../page/links.tsx'
import { formatDaysIn } from '../words/words.ts'
import classes from './index-changes.module.css'
import { formatFact } from './words.ts'

export function FactList({ facts }: { readonly facts: readonly IndexFact[] }) {
  return (
    <ul className={classes.facts}>
      {facts.map(fact => (
        <li key={fact.id ?? `${fact.kind} ${fact.sentence}`}>
          <Fact fact={fact} />
        </li>
      ))}
    </ul>
  )
}

function Fact({ fact }: { readonly fact: IndexFact }) {
  const { slug: ws } = useWorkspace()
  const { ground, day, sentence, evidence, source, successor, coefficient } = fact
  const { kind, words } = formatFact(fact)
  return (
    <>
      <p>
        <State kind={kind}>{words}</State>
        {day !== null && <span className="soft"> from {formatDate(day)}</span>}
      </p>
      <p>{formatDaysIn(sentence)}</p>
      {evidence.map(each => (
        <p key={each} className={classes.evidence}>
          {formatDaysIn(each)}
        </p>
      ))}
      {successor !== null && (
        <p>
          Named successor:{' '}
          {successor.id === null ? (
            <>
              {successor.name}{' '}
              {successor.name !== successor.reference && <span className="mono">{successor.reference}</span>}{' '}
              <span className="soft">(not followed here)</span>
            </>
          ) : (
            <TextLink to="/w/$ws/series/$id" params={{ ws, id: successor.id }}>
              {successor.name}
            </TextLink>
          )}
        </p>
      )}
      {coefficient !== null && (
        <p>
          Published coefficient <span className="figures">{coefficient.digits}</span>,{' '}
          {coefficient.direction === 'OLD_TO_NEW' ? 'from the old to the new level' : 'from the new to the old level'}
        </p>
      )}
      <p className={classes.origin}>{ground === 'EVENT' ? source : 'Suspected from the stored figures'}</p>
    </>
  )
}
