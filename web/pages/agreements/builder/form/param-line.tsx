// Named numbers that weights and fields of the clause may use, either fixed or changing on given days.

import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { addTo, listAt, textAt } from '../document/document.ts'
import { paramsOf } from '../document/weights.ts'
import { AddRow } from './add-row.tsx'
import { NumberField, TextField } from './fields.tsx'
import { RemoveButton } from './input-more.tsx'
import { Line, NotesAt } from './line.tsx'

export function ParamLine() {
  const { document, set } = useBuilder()
  const params = paramsOf(document.root)
  const start = textAt(document.root, ['contract', 'start'])
  const words = params.map(param => `${param.name} ${param.value ?? 'by date'}`).join(', ')
  return (
    <Line place="params" sentence={params.length === 0 ? 'No parameters.' : `Parameters: ${words}.`}>
      <div className={classes.stack}>
        {params.map(param =>
          param.value === null ? (
            <DatedParam key={param.name} name={param.name} />
          ) : (
            <div key={param.name} className={classes.row}>
              <NumberField path={['params', param.name]} label={param.name} />
              <button
                type="button"
                className={`${classes.textButton} ${classes.beside}`}
                onClick={() => set(['params', param.name], [{ from: start, value: param.value ?? '' }])}
              >
                Let it change with dates
              </button>
              <RemoveButton label={`Remove ${param.name}`} onRemove={() => set(['params', param.name], null)} />
            </div>
          ),
        )}
        <AddRow
          name={{ label: 'Name' }}
          value={{ label: 'Number' }}
          isTaken={name => params.some(param => param.name === name)}
          onAdd={(name, value) => set(['params', name], value)}
        />
        <p className={classes.quiet}>A weight or a field of the clause can use the name instead of a number.</p>
      </div>
    </Line>
  )
}

/** A number that changes on given days: each value applies from its day on. */
function DatedParam({ name }: { readonly name: string }) {
  const { document, set, change } = useBuilder()
  const path = ['params', name]
  const rows = listAt(document.root, path)
  const last = textAt(rows.at(-1), ['value'])
  return (
    <div className={classes.stack}>
      <NotesAt places={[`params.${name}`]} />
      {rows.map((_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified only by its position in the list.
        <div key={i} className={classes.row}>
          <TextField path={[...path, i, 'from']} label={`${name} from`} placeholder="2025-01-01" isMono />
          <NumberField path={[...path, i, 'value']} label="is" />
          <RemoveButton
            label={`Remove row ${i + 1} of ${name}`}
            onRemove={() => set(rows.length === 1 ? path : [...path, i], null)}
          />
        </div>
      ))}
      <button
        type="button"
        className={classes.textButton}
        onClick={() => change(text => addTo(text, path, { from: '', value: last }))}
      >
        Another value of {name} from a later day
      </button>
    </div>
  )
}
