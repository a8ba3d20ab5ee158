// The clause in the form: what is fixed, when the price moves, how much of it is passed on, the limits and the rounding.
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { IconPlus } from '../../components/icons.tsx'
import classes from './builder.module.css'
import { useBuilder } from './builder-state.tsx'
import { hasAt, knownKeys, rawAt, setAt, textAt } from './document.ts'
import { ChoiceBox, ChoiceField, NumberField, RoundingField, ShareBox, ShareField, useNotes } from './fields.tsx'
import { RemoveButton } from './input-more.tsx'
import { Line, More, NotesAt, NotesElse } from './line.tsx'
import { sayBasis, sayFixed, sayLimits, sayRoundings, saySharing, sayThreshold } from './sentences.ts'
import { type BandShape, type PassThroughShape, readPassThrough, writePassThrough } from './shapes.ts'
import { paramsOf } from './weights.ts'

export function ClauseForm() {
  const { document } = useBuilder()
  const { root } = document
  return (
    <section className={classes.part} aria-labelledby="part-clause">
      <h2 id="part-clause" className={classes.partHead}>
        Clause
      </h2>
      <NotesElse place="clause" keys={knownKeys(['clause'])} />
      <Line place="clause.fixed" places={['clause.fixed', 'clause.tolerance']} sentence={sayFixed(root)}>
        <div className={classes.grid}>
          <ShareField path={['clause', 'fixed']} label="Fixed share" hint="A number, or the name of a param" />
        </div>
        <More label="More" isNeeded={hasAt(root, ['clause', 'tolerance'])}>
          <div className={classes.grid}>
            <NumberField
              path={['clause', 'tolerance']}
              label="Weights may miss 1 by"
              placeholder="0"
              hint="Only where the contract’s own weights do not add up"
            />
          </div>
        </More>
      </Line>
      <Line place="clause.basis" places={['clause.basis', 'clause.combine', 'clause.adder']} sentence={sayBasis(root)}>
        <BasisFields />
      </Line>
      <Line place="clause.threshold" sentence={sayThreshold(root)}>
        <ThresholdFields />
      </Line>
      <Line place="clause.passThrough" sentence={saySharing(root)}>
        <SharingFields />
      </Line>
      <Line place="clause.cap" places={['clause.cap', 'clause.floor']} sentence={sayLimits(root)}>
        <LimitFields />
      </Line>
      <Line place="clause.rounding" places={['clause.rounding', 'result.show']} sentence={sayRoundings(root)}>
        <RoundingFields />
      </Line>
      <ParamLine />
    </section>
  )
}

function BasisFields() {
  return (
    <div className={classes.grid}>
      <ChoiceField
        path={['clause', 'basis']}
        label="Compared with"
        otherwise="FIXED_BASE"
        choices={[
          ['FIXED_BASE', 'the base, always'],
          ['CHAINED', 'the last applied adjustment'],
        ]}
      />
      <ChoiceField
        path={['clause', 'combine']}
        label="Combined as"
        otherwise="SUM_OF_RATIOS"
        choices={[
          ['SUM_OF_RATIOS', 'sum of weighted ratios'],
          ['RATIO_OF_SUMS', 'ratio of weighted sums'],
        ]}
      />
      <NumberField path={['clause', 'adder']} label="Added to the movement" placeholder="0" suffix="pp" />
    </div>
  )
}

function ThresholdFields() {
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
      <div className={classes.grid}>
        <NumberField path={[...path, 'pct']} label="Threshold" suffix="%" />
        <ChoiceField
          path={[...path, 'test']}
          label="The price moves when it is"
          choices={[
            ['EXCEEDS', 'exceeded'],
            ['REACHES', 'reached'],
          ]}
        />
        <ChoiceField
          path={[...path, 'pays']}
          label="Then is paid"
          choices={[
            ['ALL', 'the whole movement'],
            ['EXCESS', 'only what exceeds it'],
          ]}
        />
        <ChoiceField
          path={[...path, 'since']}
          label="Movement counted"
          otherwise="LAST"
          choices={[
            ['LAST', 'since the price last moved'],
            ['BASE', 'since the base'],
          ]}
        />
      </div>
      <button type="button" className={classes.textButton} onClick={() => set(path, null)}>
        Without a threshold
      </button>
    </>
  )
}

function SharingFields() {
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
          label="Passed on is"
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
          // biome-ignore lint/suspicious/noArrayIndexKey: a band has no name but its place in the list.
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

/** A band that is not the last needs an edge: it is begun with one to be changed. */
function filled(band: BandShape, i: number, all: readonly BandShape[]): BandShape {
  return i < all.length - 1 && band.upTo === '' ? { ...band, upTo: '10' } : band
}

function LimitFields() {
  const { document, change } = useBuilder()
  const carries = textAt(document.root, ['clause', 'cap', 'carryForward']) === 'true'
  return (
    <>
      <NotesAt places={['clause.cap', 'clause.floor']} />
      <div className={classes.grid}>
        <LimitField side="cap" limit="periodPct" label="Cap per period" />
        <LimitField side="cap" limit="cumulativePct" label="Cap in all" />
        <LimitField side="floor" limit="periodPct" label="Floor per period" />
        <LimitField side="floor" limit="cumulativePct" label="Floor in all" />
      </div>
      <p className={classes.quiet}>
        A floor of −5 lets the price fall by 5 % at most; a floor of 0 never lets it fall. Empty: none.
      </p>
      <Checkbox
        size="xs"
        label="Carry forward what the cap holds back"
        description="With a chained basis; a fixed base catches up by itself"
        checked={carries}
        onChange={event => {
          const isOn = event.currentTarget.checked
          change(text => setAt(text, ['clause', 'cap', 'carryForward'], isOn ? 'true' : null))
        }}
      />
    </>
  )
}

function LimitField({
  side,
  limit,
  label,
}: {
  readonly side: 'cap' | 'floor'
  readonly limit: 'periodPct' | 'cumulativePct'
  readonly label: string
}) {
  return <NumberField path={['clause', side, limit]} label={label} placeholder="none" suffix="%" />
}

const fourDecimals = 'to 4 decimals by default'

function RoundingFields() {
  return (
    <div className={classes.stack}>
      <NotesAt places={['clause.rounding']} />
      <RoundingField path={['clause', 'rounding', 'ratio']} label="Each index ratio is" />
      <RoundingField path={['clause', 'rounding', 'factor']} label="The combined factor is" />
      <RoundingField
        path={['clause', 'rounding', 'percent']}
        label="The adjustment in percent is"
        otherwise={fourDecimals}
      />
      <RoundingField path={['clause', 'rounding', 'price']} label="The new price is" otherwise="as in the contract" />
      <RoundingField
        path={['result', 'show']}
        label="Reported percentages are"
        otherwise={fourDecimals}
        hint="Shown only; nothing is carried rounded"
      />
    </div>
  )
}

/** Named numbers that fields of the clause may name. */
function ParamLine() {
  const { document, set } = useBuilder()
  const params = paramsOf(document.root)
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const words = params.map(param => `${param.name} ${param.value ?? '(dated)'}`).join(', ')
  return (
    <Line place="params" sentence={params.length === 0 ? 'No named numbers.' : `Named numbers: ${words}.`}>
      <div className={classes.stack}>
        {params.map(param =>
          param.value === null ? (
            <p key={param.name} className={classes.quiet}>
              <span className="mono">{param.name}</span> changes with its date; edit it in YAML.
            </p>
          ) : (
            <div key={param.name} className={classes.row}>
              <NumberField path={['params', param.name]} label={param.name} />
              <RemoveButton label={`Remove ${param.name}`} onRemove={() => set(['params', param.name], null)} />
            </div>
          ),
        )}
        <div className={classes.row}>
          <TextInput
            size="xs"
            label="Name"
            value={name}
            onChange={event => setName(event.currentTarget.value)}
            autoComplete="off"
          />
          <TextInput
            size="xs"
            label="Number"
            value={value}
            onChange={event => setValue(event.currentTarget.value)}
            autoComplete="off"
          />
          <Button
            size="xs"
            variant="default"
            className={classes.beside ?? ''}
            leftSection={<IconPlus />}
            disabled={name.trim() === '' || value.trim() === '' || params.some(param => param.name === name.trim())}
            onClick={() => {
              set(['params', name.trim()], value.trim())
              setName('')
              setValue('')
            }}
          >
            Add
          </Button>
        </div>
        <p className={classes.quiet}>A field of the clause may hold such a name in place of a number.</p>
      </div>
    </Line>
  )
}
