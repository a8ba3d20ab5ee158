// Successor of a series when it ends, agreed in advance.
import { inputKeys } from '../../../../../src/core/formula/check/input-keys.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { hasAt, type Path, textAt } from '../document/document.ts'
import { NumberField } from './fields.tsx'
import { NotesAt } from './line.tsx'
import { SeriesField } from './series-field.tsx'
import { SpecField } from './spec-field.tsx'

const specOf = (key: string) => inputKeys.find(({ path }) => path === `inputs.*.successor.${key}`)!

export function SuccessorFields({ path }: { readonly path: Path }) {
  const { document, set } = useBuilder()
  if (!hasAt(document.root, path))
    return (
      <div className={classes.group}>
        <button
          type="button"
          className={classes.textButton}
          onClick={() => set(path, { series: '', method: 'OVERLAP' })}
        >
          Agree on a successor of the series
        </button>
      </div>
    )
  const isOverlap = textAt(document.root, [...path, 'method']) === 'OVERLAP'
  return (
    <div className={classes.group}>
      <NotesAt places={[path.join('.')]} />
      <SeriesField path={[...path, 'series']} label="When it ends, it is followed by" />
      <div className={classes.grid}>
        <SpecField spec={specOf('method')} path={[...path, 'method']} />
        {(isOverlap || hasAt(document.root, [...path, 'window'])) && (
          <NumberField
            path={[...path, 'window']}
            label={specOf('window').label}
            placeholder="as usual"
            hint="Left empty: 12 of a monthly, 4 of a quarterly, 2 of a yearly series"
          />
        )}
      </div>
      <SpecField spec={specOf('automatic')} path={[...path, 'automatic']} />
      <button type="button" className={classes.textButton} onClick={() => set(path, null)}>
        Without a successor
      </button>
    </div>
  )
}
