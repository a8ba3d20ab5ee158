// Issued note as a page to print, in the buyer's language or another, and as files for the receiving system.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { asLanguage } from '../../../../src/core/billing/languages.ts'
import { api } from '../../../api.ts'
import { LinkButton } from '../../../components/page/links.tsx'
import { LoadingPage, PageHead, Trouble } from '../../../components/page/page.tsx'
import { PrintedPage } from '../../../components/print/printed-page.tsx'
import { useNoteFile } from '../../../components/true-up/use-note-file.ts'
import { useWorkspace } from '../../../session.ts'

export function NotePage() {
  const { slug: ws, path } = useWorkspace()
  const { id = '', part = '' } = useParams({ strict: false })
  const language = asLanguage((useSearch({ strict: false }) as { language?: string }).language) ?? undefined
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    queryKey: ['w', ws, 'correction', id, 'note', part, language],
    queryFn: ({ signal }) => api.get(path('/corrections/:id/notes/:part/sheet', { id, part, language }), signal),
    placeholderData: before => before,
  })
  const { save, error: failed } = useNoteFile(id, part)
  const back = (
    <LinkButton to="/w/$ws/corrections/$id" params={{ ws, id }}>
      Correction
    </LinkButton>
  )
  if (error !== null)
    return (
      <>
        <PageHead title="Note" actions={back} />
        <Trouble error={error} retry={() => void refetch()} />
      </>
    )
  if (data === undefined) return <LoadingPage />
  return (
    <>
      {failed !== null && <Trouble error={failed} />}
      <PrintedPage
        sheet={data}
        choose={value => void navigate({ to: '.', search: { language: value }, replace: true })}
        actions={
          <>
            {back}
            {(['ubl', 'cii', 'csv'] as const).map(form => (
              <Button key={form} variant="subtle" onClick={() => void save(form, data.language)}>
                {form === 'csv' ? 'Table' : form.toUpperCase()}
              </Button>
            ))}
          </>
        }
      />
    </>
  )
}
