// One proposed change of terms, as a sheet that both sides read before they sign: the change and its reason, the two lines and
// their ratio, the effect on the dates, the evidence, the changed lines of the document, and the signatures.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ChangeOfTerms } from '../../../../src/core/true-up/change-kinds.ts'
import type { TermsChangePage as ChangeView } from '../../../../src/views/shapes/index-changes.ts'
import { ApiFailure } from '../../../api.ts'
import { WordChanges } from '../../../components/agreements/contract-words.tsx'
import { DocumentChanges } from '../../../components/agreements/document-changes.tsx'
import { DocumentText } from '../../../components/agreements/document-text.tsx'
import sheet from '../../../components/calculation/sheet.module.css'
import { State } from '../../../components/figures/figures.tsx'
import { termsChangeQuery } from '../../../components/index-changes/queries.ts'
import { CopyButton } from '../../../components/page/copy.tsx'
import { Facts } from '../../../components/page/facts.tsx'
import { IconPrint } from '../../../components/page/icons.tsx'
import { LinkButton, TextLink } from '../../../components/page/links.tsx'
import { Empty, LoadingPage, PageHead, Section, Trouble } from '../../../components/page/page.tsx'
import { SignatureBlock } from '../../../components/signing/signature-block.tsx'
import { stateWords } from '../../../components/true-up/words.ts'
import { formatInstant } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { AmendmentAnswer, AmendmentEffect } from './amendment-parts.tsx'
import classes from './change.module.css'
import { ChangePanel } from './change-panel.tsx'
import { ListAnswer, ListEffect } from './list-parts.tsx'
import { SpliceAnswer, SpliceParts } from './splice-parts.tsx'

export function TermsChangePage() {
  const workspace = useWorkspace()
  const { id = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(termsChangeQuery(workspace, id))
  if (data !== undefined) return <Change key={`${id} ${data.change.state}`} page={data} />
  if (error === null) return <LoadingPage />
  return (
    <>
      <PageHead title="Change of terms" />
      {error instanceof ApiFailure && error.status === 404 ? (
        <Empty title="Not found">There is no such change of terms, or you may not see it.</Empty>
      ) : (
        <Trouble error={error} retry={() => void refetch()} />
      )}
    </>
  )
}

const titles: Readonly<Record<ChangeOfTerms, string>> = {
  SPLICE: 'Another index',
  AMENDMENT: 'Other terms',
  PRICE_LIST: 'Another price list',
}

interface PartProps {
  readonly page: ChangeView
}

function Answer({ page }: PartProps) {
  const { body } = page
  if (body.kind === 'SPLICE') return <SpliceAnswer page={page} body={body} />
  return body.kind === 'PRICE_LIST' ? <ListAnswer body={body} /> : <AmendmentAnswer body={body} />
}

function Effect({ page }: PartProps) {
  const { body } = page
  if (body.kind === 'SPLICE') return <SpliceParts page={page} body={body} />
  return body.kind === 'PRICE_LIST' ? <ListEffect body={body} /> : <AmendmentEffect body={body} />
}

function Change({ page }: { readonly page: ChangeView }) {
  const { slug: ws } = useWorkspace()
  const { change, body } = page
  const { slug, name, kind, proposedAt, proposedBy } = change
  const whole = kind === 'PRICE_LIST' ? 'All rows, as they are signed' : 'The whole document'
  return (
    <article className={sheet.sheet}>
      <PageHead
        title={titles[kind]}
        crumbs={[
          { label: 'Index changes', to: '/w/$ws/index-changes', params: { ws } },
          { label: name, to: '/w/$ws/agreements/$slug', params: { ws, slug } },
        ]}
        under={`${name}, proposed ${formatInstant(proposedAt)} by ${proposedBy}`}
        actions={
          <>
            <LinkButton size="xs" to="/w/$ws/agreements/$slug/versions" params={{ ws, slug }}>
              Versions
            </LinkButton>
            <Button variant="subtle" size="xs" leftSection={<IconPrint />} onClick={() => window.print()}>
              Print
            </Button>
          </>
        }
      />
      <div className={sheet.top}>
        <div>
          <Answer page={page} />
        </div>
        <ChangePanel page={page} />
      </div>
      <Effect page={page} />
      <Section title={body.kind === 'PRICE_LIST' ? 'The list' : 'Changes of the document'}>
        {body.kind !== 'PRICE_LIST' && <DocumentChanges changes={page.differences} isReworded={page.words !== null} />}
        <details className={classes.details}>
          <summary>{whole}</summary>
          <DocumentText text={page.document} label={whole} />
        </details>
      </Section>
      {page.words !== null && (
        <Section title="Changes of the contract’s own words">
          <WordChanges {...page.words} />
        </Section>
      )}
      <Section title="Signatures">
        <Standing page={page} />
        <SignatureBlock
          entry={{ hash: change.hash, signatures: page.signatures }}
          signers={{ buyer: [], supplier: [] }}
          moved={[]}
        />
      </Section>
    </article>
  )
}

function Standing({
  page: { change, between, withoutYou, basis, supersedes, plannedBy },
}: {
  readonly page: ChangeView
}) {
  const { slug: ws } = useWorkspace()
  const { hash, state, version, kind: kindOfChange } = change
  const { kind, words } = stateWords[state]
  return (
    <Facts
      isSmall
      facts={[
        { label: 'State', value: <State kind={kind}>{words}</State> },
        { label: 'Between', value: withoutYou === null ? between : `${between}; ${withoutYou}` },
        ...(kindOfChange === 'PRICE_LIST' ? [] : [{ label: 'Changes version', value: basis.toString() }]),
        ...(version === null
          ? []
          : [
              {
                label: kindOfChange === 'PRICE_LIST' ? 'Became price list' : 'Became version',
                value: version.toString(),
              },
            ]),
        ...(plannedBy === null ? [] : [{ label: 'Agreed in advance', value: `in version ${plannedBy.toString()}` }]),
        ...(supersedes === null
          ? []
          : [
              {
                label: 'Replaces',
                value: (
                  <TextLink to="/w/$ws/index-changes/$id" params={{ ws, id: supersedes }}>
                    an earlier proposal
                  </TextLink>
                ),
              },
            ]),
        {
          label: 'Hash of the change (SHA-256)',
          value: (
            <span className={sheet.hash}>
              <span className="mono">{hash}</span>
              <span className="no-print">
                <CopyButton text={hash} variant="subtle" />
              </span>
            </span>
          ),
        },
      ]}
    />
  )
}
