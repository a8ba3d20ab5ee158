// A new formula: a template to start from, then the builder.
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Empty, LoadingRows, PageHead } from '../components/page.tsx'
import { useWorkspace } from '../session.ts'
import { Builder } from './builder/builder.tsx'
import { CannotEdit } from './builder/cannot-edit.tsx'
import { TemplateChoice } from './builder/templates/template-choice.tsx'
import { templateOf } from './builder/templates/templates.ts'
import { useSlugs } from './formula/queries.ts'

export function FormulaNewPage() {
  const { slug, canEdit } = useWorkspace()
  const { template: asked } = useSearch({ strict: false })
  const template = templateOf(asked)
  const slugs = useSlugs()
  const takenSlugs = useMemo(() => slugs.data ?? [], [slugs.data])
  const crumbs = [
    { label: 'Formulas', to: '/w/$ws/formulas' as const, params: { ws: slug } },
    ...(template === null ? [] : [{ label: 'New formula', to: '/w/$ws/formulas/new' as const, params: { ws: slug } }]),
  ]
  if (!canEdit)
    return (
      <>
        <PageHead title="New formula" crumbs={crumbs} />
        <CannotEdit what="make formulas" />
      </>
    )
  if (template === null)
    return (
      <>
        <PageHead
          title="New formula"
          crumbs={crumbs}
          under="Choose the template closest to your contract. Everything in it can be changed, and nothing is saved until you save it."
        />
        {asked !== undefined && asked !== '' && (
          <Empty title="No such template">The address names a template that is not there. Choose one below.</Empty>
        )}
        <TemplateChoice />
      </>
    )
  return (
    <>
      <PageHead title={template.title} crumbs={crumbs} under={template.words} />
      {slugs.isPending ? (
        <LoadingRows />
      ) : (
        <Builder
          key={template.id}
          saved={{ text: template.write(new Date().getUTCFullYear()), version: 0, revision: null }}
          slug={null}
          draftPlace={`${slug}/new/${template.id}`}
          takenSlugs={takenSlugs}
          signed={none}
        />
      )}
    </>
  )
}

const none: ReadonlySet<string> = new Set()
