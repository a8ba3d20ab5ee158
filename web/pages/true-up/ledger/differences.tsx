// Billing differences of a ledger by name: the line, the note, and why they do not belong together.

import type { LedgerPage } from '../../../../src/views/shapes/true-up.ts'
import { TextLink } from '../../../components/page/links.tsx'
import { Section } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { differenceWords, formatAmount, formatBalance } from '../../../components/true-up/words.ts'
import { asSentence } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { formatLine } from './postings.ts'

/** Billing differences line by line, lines that are kept twice, and other currencies. */
export function Differences({ page }: { readonly page: LedgerPage }) {
  const { differences, duplicates, otherCurrencies } = page.ledger
  if (differences.length === 0 && duplicates.length === 0) return null
  return (
    <Section title="Billing differences">
      {differences.length > 0 && (
        <DataTable
          label="Billing differences"
          isTall
          rows={differences}
          keyOf={({ subject, currency }) => `${subject} ${currency}`}
          columns={[
            { head: 'Line', isRowHead: true, cell: ({ subject }) => formatLine(page, subject) },
            {
              head: 'Reason',
              cell: ({ code, message, note }) => (
                <>
                  {differenceWords[code]}
                  <span className="under">
                    {asSentence(message)} {note !== null && <NoteLink note={note} page={page} />}
                  </span>
                </>
              ),
            },
            {
              head: 'Owed minus billed',
              isRight: true,
              cell: ({ amount, currency }) => formatAmount(amount, currency),
            },
          ]}
        />
      )}
      {otherCurrencies.map(({ currency, balances }) => (
        <p key={currency} className="soft">
          Billed in {currency}, not part of the equation above: {formatBalance(balances.billed, currency)}.
        </p>
      ))}
      {duplicates.map(({ subject, sameAs, amount, currency }) => (
        <p key={subject}>
          {formatLine(page, subject)} is the same line as {formatLine(page, sameAs)} and counts a second time, with{' '}
          {formatAmount(amount, currency)}. Reverse the invoice and import it again to keep it once.
        </p>
      ))}
    </Section>
  )
}

function NoteLink({ note, page }: { readonly note: string; readonly page: LedgerPage }) {
  const { slug: ws } = useWorkspace()
  const [id = ''] = note.split('/')
  const number = page.ledger.notes.find(each => each.id === note)?.number ?? note
  return (
    <TextLink to="/w/$ws/corrections/$id" params={{ ws, id }}>
      {number}
    </TextLink>
  )
}
