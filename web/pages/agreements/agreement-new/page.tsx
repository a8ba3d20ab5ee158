// A new agreement: a template to start from or a pasted clause, then the builder.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Template, templateOf } from '../../../../src/core/formula/many/templates.ts'
import { type PastedClause, readPastedClause } from '../../../../src/core/formula/pasted/pasted-clause.ts'
import { useSlugs } from '../../../components/agreements/queries.ts'
import { TextLink } from '../../../components/page/links.tsx'
import { Empty, LoadingRows, PageHead } from '../../../components/page/page.tsx'
import { useWorkspace } from '../../../session.ts'
import { Builder } from '../builder/builder.tsx'
import { CannotEdit } from '../builder/cannot-edit.tsx'
import { PasteClause } from '../builder/clause/paste-clause.tsx'
import { pastedDocument, unsaidBy } from '../builder/clause/pasted-document.ts'
import { keepDraft, keepPaste, readDraft, readPaste } from '../builder/saving/draft.ts'
import { SeriesFirst } from '../builder/templates/series-first.tsx'
import { TemplateChoice } from '../builder/templates/template-choice.tsx'

const pastedId = 'pasted'

export function AgreementNewPage() {
  const { slug, canEdit } = useWorkspace()
  const { template: asked } = useSearch({ strict: false })
  const paste = asked === pastedId ? readPaste(slug) : null
  const template = templateOf(asked) ?? (paste === null ? null : pastedTemplate)
  const crumbs = [
    { label: 'Agreements', to: '/w/$ws/agreements' as const, params: { ws: slug } },
    ...(template === null
      ? []
      : [{ label: 'New agreement', to: '/w/$ws/agreements/new' as const, params: { ws: slug } }]),
  ]
  if (!canEdit)
    return (
      <>
        <PageHead title="New agreement" crumbs={crumbs} />
        <CannotEdit what="make agreements" />
      </>
    )
  if (template === null)
    return (
      <>
        <PageHead
          title="New agreement"
          crumbs={crumbs}
          under="Choose the template closest to your contract. Everything in it can be changed, and nothing is saved until you save it."
        />
        <Beginning asked={asked} />
      </>
    )
  return (
    <>
      <PageHead title={template.title} crumbs={crumbs} under={template.words} />
      <NewAgreement key={template.id} template={template} paste={paste} />
    </>
  )
}

type Start = Pick<Template, 'id' | 'title' | 'words'> & Partial<Pick<Template, 'write'>>

const pastedTemplate: Start = {
  id: pastedId,
  title: 'From your clause',
  words: 'What was understood is filled in, with the text beside it. Check every line before you save it.',
}

function Beginning({ asked }: { readonly asked: string | undefined }) {
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const begin = (text: string) => {
    keepPaste(slug, text)
    // Another clause is another document.
    keepDraft(placeOf(slug, pastedId), null)
    void navigate({ to: '/w/$ws/agreements/new', params: { ws: slug }, search: { template: pastedId } })
  }
  return (
    <>
      {asked !== undefined && asked !== '' && asked !== pastedId && (
        <Empty title="No such template">The address names a template that does not exist. Choose one below.</Empty>
      )}
      <TemplateChoice />
      <PasteClause onClause={begin} />
      <p className="soft">
        Many contracts with the same clause?{' '}
        <TextLink className="in-text" to="/w/$ws/bring-in" params={{ ws: slug }} search={{ kind: 'agreements' }}>
          Make them from one table
        </TextLink>
      </p>
    </>
  )
}

const placeOf = (workspace: string, id: string) => `${workspace}/new/${id}`

function NewAgreement({ template, paste }: { readonly template: Start; readonly paste: string | null }) {
  const { slug } = useWorkspace()
  const slugs = useSlugs()
  const takenSlugs = useMemo(() => slugs.data ?? [], [slugs.data])
  const pasted = useMemo(() => (paste === null ? null : readPastedClause(paste)), [paste])
  const clause = useMemo(() => (paste === null ? null : { text: paste, checked: [] }), [paste])
  const unsaid = useMemo(() => (pasted === null ? [] : unsaidBy(pasted)), [pasted])
  const draftPlace = placeOf(slug, template.id)
  const year = new Date().getUTCFullYear()
  if (slugs.isPending) return <LoadingRows />
  return (
    <SeriesFirst
      text={pasted === null ? template.write!(year) : pastedDocument(pasted, year)}
      isBegun={readDraft(draftPlace) !== null}
      {...(pasted === null ? {} : { labels: labelsOf(pasted) })}
    >
      {text => (
        <Builder
          saved={{ text, version: 0, revision: null }}
          slug={null}
          draftPlace={draftPlace}
          takenSlugs={takenSlugs}
          signed={none}
          clause={clause}
          unsaid={unsaid}
        />
      )}
    </SeriesFirst>
  )
}

const none: ReadonlySet<string> = new Set()

function labelsOf({ parts }: PastedClause): ReadonlyMap<string, string> {
  return new Map(parts.map(({ name, label }) => [name, label]))
}
