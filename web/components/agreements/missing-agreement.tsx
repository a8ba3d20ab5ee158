// Page of an agreement or a period that does not exist or could not be fetched.
import { ApiFailure } from '../../api.ts'
import { useWorkspace } from '../../session.ts'
import { LinkButton } from '../page/links.tsx'
import { Empty, PageHead, Trouble } from '../page/page.tsx'
import { sentenceCase } from '../words/words.ts'

interface NotThereProps {
  readonly slug: string
  /** The title of the missing part, if it is a part of the agreement. */
  readonly title?: string
  readonly error: unknown
  readonly retry: () => void
}

/** Explains that an agreement or a period does not exist, or that this person may not see it. */
export function NotThere({ slug, title = slug, error, retry }: NotThereProps) {
  const { slug: ws } = useWorkspace()
  const isMissing = error instanceof ApiFailure && error.status === 404
  const crumb = { label: slug, to: '/w/$ws/agreements/$slug', params: { ws, slug } } as const
  return (
    <>
      <PageHead
        title={title}
        crumbs={[{ label: 'Agreements', to: '/w/$ws/agreements', params: { ws } }, ...(title === slug ? [] : [crumb])]}
      />
      {isMissing ? (
        <Empty
          title="Not found"
          action={
            title === slug ? (
              <LinkButton to="/w/$ws/agreements" params={{ ws }}>
                All agreements
              </LinkButton>
            ) : (
              <LinkButton to="/w/$ws/agreements/$slug" params={{ ws, slug }}>
                To the agreement
              </LinkButton>
            )
          }
        >
          {sentenceCase(error.message).replace(/\.?$/, '.')}
        </Empty>
      ) : (
        <Trouble error={error} retry={retry} />
      )}
    </>
  )
}
