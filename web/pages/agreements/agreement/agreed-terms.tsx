// Agreed terms for everybody who reads an agreement: the builder's sentences, or the document itself in a second tab.
import { SegmentedControl } from '@mantine/core'
import { Fragment, type ReactNode, useMemo } from 'react'
import type { AgreementPage, InputView } from '../../../../src/views/shapes/agreements.ts'
import { WordsOfVersion } from '../../../components/agreements/contract-words.tsx'
import { DocumentText } from '../../../components/agreements/document-text.tsx'
import { StatusLabel } from '../../../components/agreements/sign-state.tsx'
import { useAddress } from '../../../components/page/address.ts'
import { CopyButton } from '../../../components/page/copy.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { Section } from '../../../components/page/page.tsx'
import { sentenceCase } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './agreed-terms.module.css'
import { type AgreedWords, formatAgreed, type InputWords, type TableWords } from './clause-sentences.ts'

export function Agreed({ page }: { readonly page: AgreementPage }) {
  const { documentText, parties } = page
  const [search, change] = useAddress()
  const words = useMemo(() => {
    const named = [parties.buyer, parties.supplier].flatMap(side => (side !== null && 'slug' in side ? [side] : []))
    return formatAgreed(documentText, slug => named.find(side => side.slug === slug)?.name ?? slug)
  }, [documentText, parties])
  const isText = words === null || search.document === 'yaml'
  return (
    <Section
      title="Agreed terms"
      actions={
        <>
          {isText && <CopyButton text={documentText} />}
          {words !== null && (
            <SegmentedControl
              size="xs"
              aria-label="How the agreement is shown"
              data={[
                { value: 'words', label: 'In words' },
                { value: 'yaml', label: 'YAML' },
              ]}
              value={isText ? 'yaml' : 'words'}
              onChange={value => change({ document: value === 'yaml' ? value : undefined })}
            />
          )}
        </>
      }
    >
      <div className={page.hasWords ? classes.beside : undefined}>
        {isText ? (
          <DocumentText text={documentText} label="The document as it was saved" />
        ) : (
          <InWords words={words} page={page} />
        )}
        {page.hasWords && (
          <div className={classes.contract}>
            <h3>The contract’s own words</h3>
            <WordsOfVersion slug={page.agreement.slug} version={page.agreement.version} />
          </div>
        )}
      </div>
    </Section>
  )
}

function InWords({
  words,
  page: {
    inputs,
    agreement: { version, status },
  },
}: {
  readonly words: AgreedWords
  readonly page: AgreementPage
}) {
  const { contract, clause, params, tables, steps, result } = words
  return (
    <div className={classes.agreed}>
      <Part title="Contract">
        {contract.map(sentence => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p>
          <StatusLabel status={status} />
          <span className="soft">, version {version}</span>
        </p>
      </Part>
      {words.inputs.length > 0 && (
        <Part title={words.inputs.length === 1 ? 'Index' : 'Indices'}>
          {words.inputs.map(input => (
            <Input key={input.name} input={input} views={inputs} />
          ))}
        </Part>
      )}
      {clause.length > 0 && (
        <Part title="Clause">
          {clause.map(sentence => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Part>
      )}
      {params.length > 0 && (
        <Part title="Numbers">
          {params.map(sentence => (
            <p key={sentence}>{sentenceCase(sentence)}</p>
          ))}
        </Part>
      )}
      {steps.length > 0 && (
        <Part title="Steps">
          <ol>
            {steps.map(({ name, words: said, note }) => (
              <li key={name}>
                <strong>{sentenceCase(name)}</strong>: {said}.
                {note !== '' && <span className={classes.note}>{note}</span>}
              </li>
            ))}
          </ol>
          {result !== '' && <p>{result}</p>}
        </Part>
      )}
      {tables.map(table => (
        <Part key={table.name} title={`Table ${table.name}`}>
          <Rows table={table} />
        </Part>
      ))}
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={classes.part}>
      <h3>{title}</h3>
      <div>{children}</div>
    </div>
  )
}

function Input({ input, views }: { readonly input: InputWords; readonly views: readonly InputView[] }) {
  const { slug: ws } = useWorkspace()
  const { name, share, reading, reference } = input
  const view = views.find(each => each.reference === reference)
  return (
    <p>
      {share === null ? (
        <strong>{sentenceCase(name)}</strong>
      ) : (
        <>
          <strong className="figures">{share}</strong> follows <strong>{name}</strong>
        </>
      )}
      {', '}
      {reading}.
      <span className={classes.note}>
        {view?.seriesId == null ? (
          (view?.name ?? 'Not among the series of this workspace')
        ) : (
          <TextLink to="/w/$ws/series/$id" params={{ ws, id: view.seriesId }}>
            {view.name ?? reference}
          </TextLink>
        )}
        {' · '}
        <span className="mono">{reference}</span>
      </span>
    </p>
  )
}

/** Long tables scroll by themselves. */
function Rows({ table: { name, rows } }: { readonly table: TableWords }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section className={classes.rows} aria-label={`Table ${name}`} tabIndex={0}>
      <dl>
        {rows.map(({ range, value }) => (
          <Fragment key={range}>
            <dt>{range}</dt>
            <dd className="figures">{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}
