// Replaces a clause with the steps it compiles to. The replacement is tried and confirmed first, so that the person sees whether
// any number changes.
import { Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { PreviewRequest } from '../../../../../src/views/calls/agreement-calls.ts'
import type { Preview } from '../../../../../src/views/shapes/agreements.ts'
import { api } from '../../../../api.ts'
import { LoadingRows, Trouble } from '../../../../components/page/page.tsx'
import { countOf } from '../../../../components/words/words.ts'
import { useWorkspace } from '../../../../session.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { asksForYears, countSteps, turnIntoSteps, whyNotSteps } from '../document/steps.ts'
import { pairEntries } from '../result/entry-rows.ts'

export function TurnIntoSteps({ preview }: { readonly preview: Preview | null }) {
  const { text, problems } = useBuilder()
  const [isOpen, dialog] = useDisclosure(false)
  const why = problems.length > 0 ? 'Correct the problems of the document first' : whyNotSteps(text)
  const isReady = why === null && preview !== null
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open} disabled={!isReady} title={why ?? ''}>
        Turn into steps…
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title="Turn the clause into steps" size="lg">
        {isOpen && preview !== null && <TurnDialog text={text} preview={preview} close={dialog.close} />}
      </Modal>
    </>
  )
}

function TurnDialog({
  text,
  preview,
  close,
}: {
  readonly text: string
  readonly preview: Preview
  readonly close: () => void
}) {
  const { change, signed } = useBuilder()
  const { slug, path } = useWorkspace()
  const turned = turnIntoSteps(text)
  const trial = useQuery({
    queryKey: ['w', slug, 'turned', turned],
    queryFn: ({ signal }) => {
      const request: PreviewRequest = { text: turned!, against: null }
      return api.post(path('/agreements/preview'), request, signal)
    },
    enabled: turned !== null,
    staleTime: 0,
  })
  if (turned === null) return <p>The document has problems; correct them first.</p>
  return (
    <>
      <p className="prose">
        The clause is replaced by {countOf(countSteps(turned), 'line')}, which you can edit one by one. The only way
        back from steps to a clause is the saved version.
      </p>
      {signed.size > 0 && asksForYears(text) && (
        <p className="prose">
          Steps do not know which prices were in force before they began. For the first adjustment after the signed
          periods, the price in force just before it counts as the price at the beginning of the year.
        </p>
      )}
      {trial.isPending && <LoadingRows rows={1} />}
      {trial.isError && <Trouble error={trial.error} retry={() => void trial.refetch()} />}
      {trial.data !== undefined && <Effect before={preview} after={trial.data} />}
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={close}>
          Keep the clause
        </Button>
        <Button
          disabled={trial.data === undefined}
          onClick={() => {
            change(() => turned)
            close()
          }}
        >
          Turn into steps
        </Button>
      </div>
    </>
  )
}

function Effect({ before, after }: { readonly before: Preview; readonly after: Preview }) {
  if (after.problems.length > 0)
    return <p role="alert">The steps have problems: {after.problems.map(({ message }) => message).join('; ')}.</p>
  const moved = pairEntries({ ...after, before: before.entries }).filter(({ isChanged }) => isChanged)
  if (moved.length === 0)
    return <p>Tried just now: {countOf(before.entries.length, 'period')}, every number stays the same.</p>
  return (
    <p role="alert">
      Tried just now: {countOf(moved.length, 'period')} would change ({moved.map(({ period }) => period).join(', ')}).
      With steps an adjustment counts as applied only when the factor changes, which moves what later periods are
      compared with.
    </p>
  )
}
