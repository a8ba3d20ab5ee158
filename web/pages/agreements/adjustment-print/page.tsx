// An adjustment as a page to print in English, German or French, by default in the language of the person's company.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { asLanguage } from '../../../../src/core/billing/languages.ts'
import { adjustmentSheet } from '../../../../src/formats/print/adjustment-sheet.ts'
import { useCut } from '../../../components/agreements/as-it-stood.tsx'
import { NotThere } from '../../../components/agreements/missing-agreement.tsx'
import { adjustmentQuery } from '../../../components/agreements/queries.ts'
import { LinkButton } from '../../../components/page/links.tsx'
import { LoadingPage } from '../../../components/page/page.tsx'
import { PrintedPage } from '../../../components/print/printed-page.tsx'
import { useRead, useWorkspace } from '../../../session.ts'

export function AdjustmentPrintPage() {
  const workspace = useWorkspace()
  const { slug: ws } = workspace
  const { slug = '', period = '' } = useParams({ strict: false })
  const search = useSearch({ strict: false }) as { language?: string }
  const navigate = useNavigate()
  const { cut } = useCut()
  const { data, error, refetch } = useQuery(adjustmentQuery(workspace, slug, period, cut))
  const company = useRead('/company')
  if (error !== null) return <NotThere slug={slug} title={period} error={error} retry={() => void refetch()} />
  const chosen = asLanguage(search.language)
  if (data === undefined || (chosen === null && company.isPending)) return <LoadingPage />
  return (
    <PrintedPage
      sheet={adjustmentSheet(data, chosen ?? company.data?.language ?? 'en')}
      choose={language => void navigate({ to: '.', search: { ...search, language }, replace: true })}
      actions={
        <LinkButton to="/w/$ws/agreements/$slug/periods/$period" params={{ ws, slug, period }} search={{ ...cut }}>
          Adjustment
        </LinkButton>
      }
    />
  )
}
