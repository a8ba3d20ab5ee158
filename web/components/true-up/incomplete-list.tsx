// Note on a list that is still being computed, or that leaves something out.
import { useWorkspace } from '../../session.ts'
import { TextLink } from '../page/links.tsx'
import { countOf } from '../words/words.ts'
import classes from './true-up.module.css'

interface UpdatingProps {
  readonly updating: number
  readonly leftOut: readonly { readonly slug: string; readonly name: string }[]
}

export function Updating({ updating, leftOut }: UpdatingProps) {
  const { slug: ws } = useWorkspace()
  return (
    <>
      {updating > 0 && (
        <p className={classes.updating} role="status" data-is-known={false}>
          Updating: {countOf(updating, 'agreement')} left. They are shown as last known.
        </p>
      )}
      {leftOut.length > 0 && (
        <p>
          Left out because they take long to compute:{' '}
          {leftOut.map(({ slug, name }, i) => (
            <span key={slug}>
              {i > 0 && ', '}
              <TextLink to="/w/$ws/agreements/$slug/ledger" params={{ ws, slug }}>
                {name}
              </TextLink>
            </span>
          ))}
          .
        </p>
      )}
    </>
  )
}
