// A new agreement: a template to start from, then the builder.
import { useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { PastedClause } from '../../../../src/core/formula/pasted-clause.ts'
import { useSlugs } from '../../../components/agreements/queries.ts'
import { Empty, LoadingRows, PageHead } from '../../../components/page/page.tsx'
import { useWorkspace } from '../../../session.ts'
import { Builder } from '../builder/builder.tsx'
import { CannotEdit } from '../builder/cannot-edit.tsx'
import { readDraft } from '../builder/saving/draft.ts'
import { PasteClause } from '../builder/templates/paste-clause.tsx'
import { pastedDocument } from '../builder/templates/pasted-document.ts'
import { SeriesFirst } from '../builder/templates/series-first.tsx'
import { TemplateChoice } from '../builder/templates/template-choice.tsx'
import { type Template, templateOf } from '../builder/templates/templates.ts'

export function AgreementNewPage() {
  const { slug, canEdit } = useWorkspace()
  const { template: asked } = useSearch({ strict: false })
  const [pasted, setPasted] = useState<PastedClause | null>(null)
  const template = templateOf(asked) ?? (pasted === null ? null : pastedTemplate(pasted))
  const slugs = useSlugs()
  const takenSlugs = useMemo(() => slugs.data ?? [], [slugs.data])
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
        {asked !== undefined && asked !== '' && (
          <Empty title="No such template">The address names a template that does not exist. Choose one below.</Empty>
        )}
        <TemplateChoice />
        <PasteClause onClause={setPasted} />
      </>
    )
  const draftPlace = `${slug}/new/${template.id}`
  const written = template.write(new Date().getUTCFullYear())
  return (
    <>
      <PageHead title={template.title} crumbs={crumbs} under={template.words} />
      {slugs.isPending ? (
        <LoadingRows />
      ) : (
        <SeriesFirst
          key={template.id}
          text={written}
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
            />
          )}
        </SeriesFirst>
      )}
    </>
  )
}

const none: ReadonlySet<string> = new Set()

function pastedTemplate(clause: PastedClause): Pick<Template, 'id' | 'title' | 'words' | 'write'> {
  return {
    id: 'pasted',
    title: 'From your clause',
    words: 'What was understood is filled in. Check every line against the contract before you save it.',
    write: year => pastedDocument(clause, year),
  }
}

function labelsOf({ parts }: PastedClause): ReadonlyMap<string, string> {
  return new Map(parts.map(({ name, label }) => [name, label]))
}
