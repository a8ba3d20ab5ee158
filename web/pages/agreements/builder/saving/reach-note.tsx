// Note before a version is saved: the affected periods, the lost signatures and who has to sign again, and, if it would start
// among signed periods, the first date that is still open.

import { Button } from '@mantine/core'
import { formatDate } from '../../../../../src/core/text/words.ts'
import type { Reach } from '../../../../../src/views/shapes/agreements.ts'
import { State } from '../../../../components/figures/figures.tsx'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { formatLost, formatReach } from './reach-words.ts'

interface ReachNoteProps {
  readonly reach: Reach
  readonly signed: number
}

export function ReachNote({ reach, signed }: ReachNoteProps) {
  const { set } = useBuilder()
  const { effectiveFrom, firstUnsigned } = reach
  const isEarly = signed > 0 && firstUnsigned !== null && effectiveFrom < firstUnsigned
  return (
    <div className={classes.reach}>
      <p>{formatReach(reach)}</p>
      {formatLost(reach).map(sentence => (
        <p key={sentence}>
          <State kind="waiting">{sentence}</State>
        </p>
      ))}
      {isEarly && (
        <div className={classes.row}>
          <span>
            This version begins on {formatDate(effectiveFrom)}; signed periods stay. The first unsigned date is{' '}
            {formatDate(firstUnsigned)}.
          </span>
          <Button size="xs" variant="default" onClick={() => set(['effectiveFrom'], firstUnsigned)}>
            Begin on {formatDate(firstUnsigned)}
          </Button>
        </div>
      )}
    </div>
  )
}
