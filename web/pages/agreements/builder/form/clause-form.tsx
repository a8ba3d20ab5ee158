// Clause in the form: fixed terms, the timing of the price, the share of a movement that is passed on, the limits and the
// rounding. The fields of plain keys come from the tables of the controls.
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { resultKeys } from '../../../../../src/core/formula/check/document-keys.ts'
import { IconPlus } from '../../../../components/page/icons.tsx'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { hasAt, knownKeys, rawAt } from '../document/document.ts'
import { type BandShape, type PassThroughShape, readPassThrough, writePassThrough } from '../document/shapes.ts'
import { clauseLines, formatClauseLineInWords } from './clause-lines.ts'
import { type FormLine, fieldOf, lineOf, type SpecField as Planned } from './control-fields.ts'
import { ChoiceBox, NumberField, ShareBox, ShareField, useNotes } from './fields.tsx'
import { RemoveButton } from './input-more.tsx'
import { Line, More, NotesAt, NotesElse } from './line.tsx'
import { ParamLine } from './param-line.tsx'
import { SpecField } from './spec-field.tsx'

/** Lines that need more than a list of fields. */
const bodies: Readonly<Record<string, (props: { readonly fields: readonly Planned[] }) => ReactNode>> = {
  fixed: FixedFields,
  threshold: ThresholdFields,
  passThrough: SharingFields,
  cap: LimitFields,
  rounding: RoundingFields,
}

export function ClauseForm() {
  return (
    <section className={classes.part} aria-labelledby="part-clause">
      <h2 id="part-clause" className={classes.partHead}>
        Clause
      </h2>
      <NotesElse place="clause" keys={knownKeys(['clause'])} />
      {clauseLines.map(({ line, fields }) => (
        <ClauseLine key={line} line={line} fields={fields} />
      ))}
      <ParamLine />
    </section>
  )
}

function ClauseLine({ line, fields }: FormLine) {
  const { document } = useBuilder()
  const { root } = document
  const keys = knownKeys(['clause']).filter(key => lineOf(key) === line)
  const places = [...keys.map(key => `clause.${key}`), ...(line === 'rounding' ? ['result.show'] : [])]
  const Body = bodies[line] ?? PlainFields
  return (
    <Line place={`clause.${line}`} places={places} sentence={formatClauseLineInWords(root, { line, fields })}>
      <Body fields={fields} />
    </Line>
  )
}

function PlainFields({ fields }: { readonly fields: readonly Planned[] }) {
  return (
    <div className={classes.grid}>
      {fields.map(({ spec }) => (
        <SpecField key={spec.path} spec={spec} />
      ))}
    </div>
  )
}

function FixedFields({ fields }: { readonly fields: readonly Planned[] }) {
  const { document } = useBuilder()
  const isRare = ({ spec }: Planned) => spec.path === 'clause.tolerance'
  return (
    <>
      <PlainFields fields={fields.filter(field => !isRare(field))} />
      <More label="More" isNeeded={hasAt(document.root, ['clause', 'tolerance'])}>
        <PlainFields fields={fields.filter(isRare)} />
      </More>
    </>
  )
}

function ThresholdFields({ fields }: { readonly fields: readonly Planned[] }) {
  const { document, set } = useBuilder()
  const path = ['clause', 'threshold']
  if (!hasAt(document.root, path))
    return (
      <button
        type="button"
        className={classes.textButton}
        onClick={() => set(path, { pct: '3', test: 'EXCEEDS', pays: 'ALL' })}
      >
        Add a threshold
      </button>
    )
  return (
    <>
      <NotesAt places={['clause.threshold']} />
      <PlainFields fields={fields} />
      <button type="button" className={classes.textButton} onClick={() => set(path, null)}>
        Without a threshold
      </button>
    </>
  )
}

function SharingFields(_: { readonly fields: readonly Planned[] }) {
  const { document, set } = useBuilder()
  const path = ['clause', 'passThrough']
  const shape = readPassThrough(rawAt(document.root, path))
  const put = (next: PassThroughShape) => set(path, writePassThrough(next))
  const choose = (kind: string) => {
    if (kind === 'SHARE') put({ kind, share: '0.50', bands: [] })
    else if (kind === 'BANDS')
      put({
        kind,
        share: '',
        bands: [
          { upTo: '3', share: '1' },
          { upTo: '', share: '0.50' },
        ],
      })
    else put({ kind: 'ALL', share: '', bands: [] })
  }
  const notes = useNotes(path, undefined, false)
  return (
    <>
      <div className={classes.grid}>
        <ChoiceBox
          {...notes}
          id={`${notes.id}-kind`}
          label="Part of the movement that is passed on"
          value={shape.kind}
          onValue={choose}
          choices={[
            ['ALL', 'all of it'],
            ['SHARE', 'a share of it'],
            ['BANDS', 'by bands'],
          ]}
        />
        {shape.kind === 'SHARE' && <ShareField path={path} label="Share" hint="A number, or the name of a param" />}
      </div>
      {shape.kind === 'BANDS' && <BandFields bands={shape.bands} put={bands => put({ ...shape, bands })} />}
    </>
  )
}

function BandFields({
  bands,
  put,
}: {
  readonly bands: readonly BandShape[]
  readonly put: (bands: readonly BandShape[]) => void
}) {
  const change = (at: number, next: Partial<BandShape>) =>
    put(bands.map((band, i) => (i === at ? { ...band, ...next } : band)))
  return (
    <div className={classes.stack}>
      {bands.map((band, i) => {
        const path = ['clause', 'passThrough', i]
        const isLast = i === bands.length - 1
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a band is identified only by its position in the list.
          <div key={i} className={classes.row}>
            {isLast ? (
              <span className={classes.rowWords}>Of the rest</span>
            ) : (
              <NumberField path={[...path, 'upTo']} label={i === 0 ? 'Of the first' : 'Up to'} suffix="%" />
            )}
            <ShareBox
              path={[...path, 'share']}
              label="is passed on"
              text={band.share}
              onText={share => change(i, { share })}
            />
            {!isLast && bands.length > 1 && (
              <RemoveButton label={`Remove band ${i + 1}`} onRemove={() => put(bands.filter((_, at) => at !== i))} />
            )}
          </div>
        )
      })}
      <Button
        size="xs"
        variant="subtle"
        leftSection={<IconPlus />}
        className={classes.add ?? ''}
        onClick={() => put([...bands.slice(0, -1), { upTo: '', share: '1' }, ...bands.slice(-1)].map(filled))}
      >
        Add a band
      </Button>
    </div>
  )
}

/** Every band but the last needs an edge: a new one gets a value to be edited. */
function filled(band: BandShape, i: number, all: readonly BandShape[]): BandShape {
  return i < all.length - 1 && band.upTo === '' ? { ...band, upTo: '10' } : band
}

/** The order in which people think of limits; any others come after them. */
const limitOrder = ['periodPct', 'yearPct', 'year', 'cumulativePct', 'carryForward']

function LimitFields({ fields }: { readonly fields: readonly Planned[] }) {
  return (
    <>
      <NotesAt places={['clause.cap', 'clause.floor']} />
      <div className={classes.sides}>
        {(['cap', 'floor'] as const).map(side => (
          <LimitSide key={side} side={side} fields={fields.filter(({ path }) => path[1] === side)} />
        ))}
      </div>
      <p className={classes.quiet}>
        A floor of −5 lets the price fall by 5 % at most; a floor of 0 never lets it fall. Empty: none.
      </p>
    </>
  )
}

function LimitSide({ side, fields }: { readonly side: 'cap' | 'floor'; readonly fields: readonly Planned[] }) {
  const { document } = useBuilder()
  const limit = rawAt(document.root, ['clause', side])
  const rank = ({ path }: Planned) => {
    const at = limitOrder.indexOf(path[2]!)
    return at < 0 ? limitOrder.length : at
  }
  /** The fields for the year and for carrying forward appear once there is a limit they apply to. */
  const isAsked = ({ path }: Planned) => {
    const key = path[2]!
    if (hasAt(limit, [key])) return true
    if (key === 'year') return hasAt(limit, ['yearPct'])
    return key !== 'carryForward' || hasAt(limit, ['periodPct']) || hasAt(limit, ['yearPct'])
  }
  return (
    <div className={classes.stack}>
      {fields
        .filter(isAsked)
        .toSorted((a, b) => rank(a) - rank(b))
        .map(({ spec, kind }) => (
          <SpecField key={spec.path} spec={spec} isTerse={kind !== 'truth'} />
        ))}
    </div>
  )
}

/** Hints where the default is described by something other than “not rounded”. */
const leftOut: Readonly<Record<string, string>> = {
  'clause.rounding.price': 'same as the contract’s price',
  'result.show': 'to 4 decimals',
}

function RoundingFields({ fields }: { readonly fields: readonly Planned[] }) {
  const shown = resultKeys.map(fieldOf).filter(field => field?.kind === 'rounding')
  return (
    <div className={classes.stack}>
      <NotesAt places={['clause.rounding']} />
      {[...fields, ...shown].map(field => {
        if (field === null) return null
        const { spec } = field
        const words = leftOut[spec.path]
        return <SpecField key={spec.path} spec={spec} {...(words === undefined ? {} : { otherwise: words })} />
      })}
    </div>
  )
}
