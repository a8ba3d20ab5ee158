// A form for the limits of one workspace: an empty field means the default. Only changes are sent.

import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LimitsRequest } from '../../../src/views/calls/installation-calls.ts'
import type { InstallationWorkspace, LimitKey, LimitView } from '../../../src/views/shapes/installation.ts'
import { api } from '../../api.ts'
import { at } from '../../calls.ts'
import { FormDialog } from '../../components/dialog/ask-form.tsx'
import { limitNames } from '../../components/words/limit-names.ts'
import { formatCount } from '../../components/words/words.ts'
import classes from './installation.module.css'

type Entered = Readonly<Record<LimitKey, string>>

export function LimitsForm({
  workspace: { slug, name, limits },
  close,
}: {
  readonly workspace: InstallationWorkspace
  readonly close: () => void
}) {
  const queries = useQueryClient()
  const [entered, setEntered] = useState(() => textsOf(limits))
  const changes = changesOf(limits, entered)
  const isWrong = limits.some(limit => problemOf(limit, entered[limit.key]) !== null)
  const set = async () => {
    await api.patch(at('/installation/workspaces/:slug', { slug }), changes)
    await queries.invalidateQueries({ queryKey: ['installation'] })
    await queries.invalidateQueries({ queryKey: ['w', slug] })
  }
  return (
    <FormDialog
      title={`Limits of ${name}`}
      size="lg"
      action="Set the limits"
      isReady={!isWrong && Object.keys(changes).length > 0}
      run={set}
      close={close}
    >
      <p className="soft">
        An empty field means the default. A limit below the present use deletes nothing; it only refuses additions.
      </p>
      <div className={classes.fields}>
        {limits.map((limit, i) => (
          <TextInput
            key={limit.key}
            {...(i === 0 ? { 'data-autofocus': true } : {})}
            label={limitNames[limit.key]}
            description={describe(limit)}
            placeholder="default"
            inputMode="numeric"
            autoComplete="off"
            maxLength={20}
            value={entered[limit.key]}
            error={problemOf(limit, entered[limit.key])}
            onChange={({ currentTarget: { value } }) => setEntered({ ...entered, [limit.key]: value })}
          />
        ))}
      </div>
    </FormDialog>
  )
}

function textsOf(limits: readonly LimitView[]): Entered {
  const texts = limits.map(({ key, most, isDefault }) => [key, isDefault ? '' : formatCount(most)])
  return Object.fromEntries(texts) as Entered
}

function describe({ used, byDefault }: LimitView): string {
  const words = `by default ${formatCount(byDefault)}`
  return used === null ? words : `${formatCount(used)} in use, ${words}`
}

/** `null` for the default, `undefined` if it is not a number. */
function readLimit(text: string): number | null | undefined {
  const digits = text.replaceAll(/[\s,]/g, '')
  if (digits === '') return null
  return /^\d{1,15}$/.test(digits) ? Number.parseInt(digits, 10) : undefined
}

function problemOf({ least, highest }: LimitView, text: string): string | null {
  const value = readLimit(text)
  if (value === null || (value !== undefined && value >= least && value <= highest)) return null
  return `A whole number from ${formatCount(least)} to ${formatCount(highest)}, or nothing for the default`
}

function changesOf(limits: readonly LimitView[], entered: Entered): LimitsRequest {
  return Object.fromEntries(
    limits.flatMap(({ key, most, isDefault }) => {
      const value = readLimit(entered[key])
      return value === undefined || value === (isDefault ? null : most) ? [] : [[key, value]]
    }),
  )
}
