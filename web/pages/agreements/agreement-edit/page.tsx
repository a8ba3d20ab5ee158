// Page that edits an agreement: the builder with its newest document.
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { NotThere } from '../../../components/agreements/missing-agreement.tsx'
import { useAgreement, useWords } from '../../../components/agreements/queries.ts'
import { LinkButton } from '../../../components/page/links.tsx'
import { LoadingPage, LoadingRows, PageHead, Trouble } from '../../../components/page/page.tsx'
import { useWorkspace } from '../../../session.ts'
import { Builder } from '../builder/builder.tsx'
import { CannotEdit } from '../builder/cannot-edit.tsx'

export function AgreementEditPage() {
  const { slug: workspace, canEdit } = useWorkspace()
  const { slug = '' } = useParams({ strict: false })
  const { data: page, error, refetch } = useAgreement(slug)
  const hasWords = page?.hasWords === true
  const kept = useWords(slug, page?.agreement.version ?? 0, hasWords)
  const signed = useMemo(
    () => new Set(page?.entries.filter(({ isSigned }) => isSigned).map(({ period }) => period)),
    [page],
  )
  if (page === undefined)
    return error === null ? <LoadingPage /> : <NotThere slug={slug} error={error} retry={() => void refetch()} />
  const { name, version } = page.agreement
  const params = { ws: workspace, slug }
  const crumbs = [
    { label: 'Agreements', to: '/w/$ws/agreements' as const, params: { ws: workspace } },
    { label: name, to: '/w/$ws/agreements/$slug' as const, params },
  ]
  if (!canEdit)
    return (
      <>
        <PageHead title={`Edit ${name}`} crumbs={crumbs} />
        <CannotEdit
          what="change agreements"
          action={
            <LinkButton to="/w/$ws/agreements/$slug" params={params}>
              To the agreement
            </LinkButton>
          }
        />
      </>
    )
  return (
    <>
      <PageHead
        title={`Edit ${name}`}
        crumbs={crumbs}
        under={`Version ${version} is saved. You see the effect of a change at once; it counts once it is saved.`}
      />
      {hasWords && kept.data === undefined ? (
        <WordsAwaited error={kept.error} retry={() => void kept.refetch()} />
      ) : (
        <Builder
          key={slug}
          saved={{ text: page.documentText, version, revision: page.revision }}
          slug={slug}
          draftPlace={`${workspace}/${slug}`}
          takenSlugs={none}
          signed={signed}
          words={kept.data?.words ?? null}
        />
      )}
    </>
  )
}

const none: readonly string[] = []

/** Wait for the saved words, without which the box would say that there are none. */
function WordsAwaited({ error, retry }: { readonly error: Error | null; readonly retry: () => void }) {
  return error === null ? <LoadingRows /> : <Trouble error={error} retry={retry} />
}
