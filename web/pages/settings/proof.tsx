// Proof: the public log of the installation, the outsiders who vouch for it, the parts of it to keep, and its limits.

import { Button } from '@mantine/core'
import { useState } from 'react'
import { notProven } from '../../../src/formats/evidence/log-words.ts'
import type { ProofPage } from '../../../src/views/shapes/signatures.ts'
import { api } from '../../api.ts'
import { Ago, State } from '../../components/figures/figures.tsx'
import { Empty, LoadingRows, Section, Trouble } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { saveFile } from '../../components/table/save-file.ts'
import { asSentence, countOf, formatCount, formatInstant } from '../../components/words/words.ts'
import { useRead, useWorkspace } from '../../session.ts'
import classes from './settings.module.css'

export function Proof() {
  const { data, error, refetch } = useRead('/proof')
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={6} />
  if (data.origin === null)
    return (
      <Empty title="Nothing is in the log yet">
        With the first signature this installation begins a public log. From then on, everybody who keeps a copy of the
        log can see if a signed entry is rewritten.
      </Empty>
    )
  return (
    <>
      <p className="prose">
        Every signature made here goes into the public log, which only grows. With one checkpoint that you keep, you can
        show without this server that no earlier entry was changed.
      </p>
      <TheLog page={data} />
      <Keep page={data} />
      <Witnesses page={data} />
      <Stamps page={data} />
      <Section title="What the log cannot show">
        <ul>
          {notProven.map(each => (
            <li key={each}>{asSentence(each)}</li>
          ))}
        </ul>
        <p className="soft">
          The operator of the installation makes this page, so the page proves nothing. The proof is in the files that
          you keep, checked with a verifier from another source.
        </p>
      </Section>
    </>
  )
}

function TheLog({ page: { origin, keys, stopped, checkpoint } }: { readonly page: ProofPage }) {
  return (
    <Section title="The log">
      {stopped !== null && (
        <Trouble error={new Error(`Nothing is signed in the log: ${stopped}. Ask the operator why.`)} />
      )}
      <dl className={classes.facts}>
        <dt>Name</dt>
        <dd className="mono">{origin}</dd>
        <dt>{keys.length === 1 ? 'Key' : 'Keys'}</dt>
        {keys.map(key => (
          <dd key={key} className="mono">
            {key}
          </dd>
        ))}
        <dt>Newest checkpoint</dt>
        <dd>
          {checkpoint === null ? (
            'none yet'
          ) : (
            <>
              {countOf(checkpoint.size, 'leaf', 'leaves')}, signed {formatInstant(checkpoint.madeAt)}
            </>
          )}
        </dd>
      </dl>
    </Section>
  )
}

/** Parts to take home: a checkpoint, and slips of this person's signatures. */
function Keep({ page: { checkpoint, signatures } }: { readonly page: ProofPage }) {
  const { path } = useWorkspace()
  const [failure, setFailure] = useState<unknown>(null)
  const takeSlips = async () => {
    setFailure(null)
    try {
      const { file, missing } = await api.get(path('/proof/slips'))
      if (file === null) throw new Error(missing ?? 'There is no slip yet.')
      saveFile(file.name, 'text/plain', [file.text])
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <Section title="Keep a copy">
      <p>
        Keep the checkpoint and your slips where the operator cannot reach them, such as your own files or your mail.
        Years later <code>assize verify package.zip --kept checkpoint.txt</code>, or the Python verifier in every
        evidence package, compares them with the log of that day.
      </p>
      <div className={classes.line}>
        {checkpoint !== null && (
          <Button
            variant="default"
            onClick={() => saveFile(`checkpoint-${checkpoint.size}.txt`, 'text/plain', [checkpoint.note])}
          >
            Save the checkpoint
          </Button>
        )}
        {signatures > 0 && (
          <Button variant="default" onClick={() => void takeSlips()}>
            Save my slips ({formatCount(signatures)})
          </Button>
        )}
      </div>
      {signatures === 0 && <p className="soft">You have no slip, because you have signed nothing in this workspace.</p>}
      {failure !== null && <Trouble error={failure} />}
    </Section>
  )
}

function Witnesses({ page: { witnesses } }: { readonly page: ProofPage }) {
  return (
    <Section title="Witnesses">
      {witnesses.length === 0 ? (
        <p>
          This log has no witnesses: only the copies that you and the other party keep can show that it was not
          rewritten. An administrator of the server names witnesses in <code>ASSIZE_WITNESSES</code>.
        </p>
      ) : (
        <DataTable
          label="Witnesses"
          rows={witnesses}
          keyOf={({ name }) => name}
          columns={[
            { head: 'Witness', cell: ({ name }) => name },
            {
              head: 'Cosigned',
              cell: ({ last }) => (last === null ? <State kind="waiting">not yet</State> : <Ago at={last.at} />),
            },
            {
              head: 'Leaves',
              isRight: true,
              narrow: 'label',
              className: 'figures',
              cell: ({ last }) => (last === null ? '' : formatCount(last.size)),
            },
            { head: 'Key', narrow: 'label', className: 'mono', cell: ({ key }) => key ?? 'no longer asked' },
          ]}
        />
      )}
    </Section>
  )
}

function Stamps({ page: { stamps } }: { readonly page: ProofPage }) {
  if (stamps.length === 0) return null
  return (
    <Section title="Time stamps">
      <DataTable
        label="Time stamps"
        rows={stamps}
        keyOf={({ authority, size }) => `${authority} ${size}`}
        columns={[
          { head: 'Authority', cell: ({ authority }) => authority },
          { head: 'Stamped', cell: ({ at }) => formatInstant(at) },
          { head: 'Leaves', isRight: true, className: 'figures', cell: ({ size }) => formatCount(size) },
        ]}
      />
    </Section>
  )
}
