// The dialog before several changes of terms are signed at once: each agreement with its effect, one proof of who signs, and a
// result that names unsigned ones with the reason.

import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import { changeWords } from '../../../src/core/true-up/change-kinds.ts'
import type { OpenChangeRow, TermsSigned } from '../../../src/views/shapes/index-changes.ts'
import { api } from '../../api.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { makeBatch } from '../../components/signing/batch.ts'
import { SigningDialog } from '../../components/signing/signing-dialog.tsx'
import { useSigning } from '../../components/signing/use-signing.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import { textBounds } from '../../components/words/text-bounds.ts'
import { asSentence, countOf } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import { First } from './first-effect.tsx'
import classes from './index-changes-page.module.css'

interface SignChangesProps {
  readonly rows: readonly OpenChangeRow[]
  readonly close: () => void
}

export function SignChangesDialog({ rows: all, close }: SignChangesProps) {
  const { path } = useWorkspace()
  // The shown rows are the ones signed, also when the list behind the dialog moves on.
  const [rows] = useState(() => all.slice(0, textBounds.batchEntries))
  const [batch] = useState(() => makeBatch(rows.map(({ hash }) => hash)))
  const [result, setResult] = useState<TermsSigned | null>(null)
  const signing = useSigning({
    batch,
    asked: { changes: rows.map(({ id, hash, as }) => ({ id, hash, party: as! })) },
    send: (_proof, batchId) =>
      api.post(path('/terms-changes/sign'), {
        changes: rows.map(({ id, hash, as }) => ({
          id,
          hash,
          party: as!,
          ...(batchId === undefined ? {} : { salt: batch.saltOf(hash) }),
        })),
        ...(batchId === undefined ? {} : { batch: batchId }),
      }),
    done: setResult,
  })
  if (result !== null) return <Result rows={rows} result={result} close={close} />
  const words = `Sign ${countOf(rows.length, 'change')} of terms`
  return (
    <SigningDialog title={words} size={820} words={words} hash={batch.hash} signing={signing} close={close}>
      {all.length > rows.length && (
        <p>
          These are the first {rows.length} of {all.length}; sign the rest after them.
        </p>
      )}
      <div className={classes.listed}>
        <DataTable
          label="Changes to sign"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { head: 'Agreement', isRowHead: true, cell: ({ name }) => name },
            {
              head: 'Change',
              narrow: 'line',
              cell: ({ change, series }) =>
                change === 'SPLICE' ? <span className="mono">{series.join(' → ')}</span> : changeWords[change],
            },
            {
              head: 'From',
              narrow: 'label',
              className: 'figures',
              cell: ({ effectiveFrom }) => formatDate(effectiveFrom),
            },
            {
              head: 'First price',
              isRight: true,
              narrow: 'line',
              className: 'figures',
              cell: ({ effect }) => <First effect={effect} />,
            },
          ]}
        />
      </div>
      <p className="soft">
        Once both sides have signed, each becomes the next version of its formula. Numbers that both signed before stay
        as they are. A signature cannot be withdrawn. A change whose figures have changed in the meantime is not signed;
        it is listed afterwards.
      </p>
    </SigningDialog>
  )
}

interface ResultProps extends SignChangesProps {
  readonly result: TermsSigned
}

function Result({ rows, result: { signed, refused }, close }: ResultProps) {
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const agreed = signed.filter(({ version }) => version !== null).length
  return (
    <Dialog onClose={close} title={refused.length === 0 ? 'Signed' : `${refused.length} not signed`} size={640}>
      <p role="status">
        {countOf(signed.length, 'change')} of terms signed
        {agreed > 0 && `, ${agreed} of them by both sides now`}.
      </p>
      {refused.length > 0 && (
        <DataTable
          label="Changes not signed"
          rows={refused}
          keyOf={({ id }) => id}
          columns={[
            { head: 'Agreement', isRowHead: true, cell: ({ id }) => names.get(id) ?? id },
            { head: 'Reason', cell: ({ why }) => asSentence(why) },
          ]}
        />
      )}
      <Button mt={16} onClick={close} data-autofocus>
        Close
      </Button>
    </Dialog>
  )
}
