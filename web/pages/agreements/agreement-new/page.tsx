// A new agreement: a template to start from, then the builder.
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Template, templateOf } from '../../../../src/core/formula/many/templates.ts'
import { useSlugs } from '../../../components/agreements/queries.ts'
import { TextLink } from '../../../components/page/links.tsx'
import { Empty, LoadingRows, PageHead } from '../../../components/page/page.tsx'
import { useWorkspace } from '../../../session.ts'
import { Builder } from '../builder/builder.tsx'
import { CannotEdit } from '../builder/cannot-edit.tsx'
import { readDraft } from '../builder/saving/draft.ts'
import { SeriesFirst } from '../builder/templates/series-first.tsx'
import { TemplateChoice } from '../builder/templates/template-choice.tsx'

export function AgreementNewPage() {
  const { slug, canEdit } = useWorkspace()
  const { template: asked } = useSearch({ strict: false })
  const template = templateOf(asked)
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
      <NewAgreement key={template.id} template={template} />
    </>
  )
}

function Beginning({ asked }: { readonly asked: string | undefined }) {
  const { slug } = useWorkspace()
  return (
    <>
      {asked !== undefined && asked !== '' && (
        <Empty title="No such template">The address names a template that does not exist. Choose one below.</Empty>
      )}
      <TemplateChoice />
      <p className="soft">
        Many contracts with the same clause?{' '}
        <TextLink className="in-text" to="/w/$ws/bring-in" params={{ ws: slug }} search={{ kind: 'agreements' }}>
          Make them from one table
        </TextLink>
      </p>
    </>
  )
}

function NewAgreement({ template }: { readonly template: Template }) {
  const { slug } = useWorkspace()
  const slugs = useSlugs()
  const takenSlugs = useMemo(() => slugs.data ?? [], [slugs.data])
  const draftPlace = `${slug}/new/${template.id}`
  if (slugs.isPending) return <LoadingRows />
  return (
    <SeriesFirst text={template.write(new Date().getUTCFullYear())} isBegun={readDraft(draftPlace) !== null}>
      {text => (
        <Builder
          saved={{ text, version: 0, revision: null }}
          slug={null}
          draftPlace={draftPlace}
          takenSlugs={takenSlugs}
          signed={none}
          words={null}
        />
      )}
    </SeriesFirst>
  )
}

const none: ReadonlySet<string> = new Set()
