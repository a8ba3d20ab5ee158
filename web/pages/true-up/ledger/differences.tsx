// The billing differences of a ledger by name: which line, which note, and why they do not belong together.
import type { LedgerPage } from '../../../../src/views/shapes/true-up.ts'
import { TextLink } from '../../../components/page/links.tsx'
import { Section } from '../../../components/page/page.tsx'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import classes from '../../../components/true-up/true-up.module.css'
import { differenceWords, writeAmount, writeBalance } from '../../../components/true-up/words.ts'
import { asSentence } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

/** What the billing differences consist of, line by line; lines that are kept twice; and other currencies. */
export function Differences({ page }: { readonly page: LedgerPage }) {
  const { differences, duplicates, otherCurrencies } = page.ledger
  if (differences.length === 0 && duplicates.length === 0) return null
  return (
    <Section title="Billing differences">
      {differences.length > 0 && (
        <ScrollX label="Billing differences">
          <table className={`ledger ${classes.table}`}>
            <thead>
              <tr>
                <th scope="col">Line</th>
                <th scope="col">Why</th>
                <th scope="col" className="right">
                  Owed less billed
                </th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ code, subject, note, amount, currency, message }) => (
                <tr key={`${subject} ${currency}`}>
                  <th scope="row">{page.lines[subject] ?? subject}</th>
                  <td>
                    {differenceWords[code]}
                    <span className={classes.note}>
                      {asSentence(message)} {note !== null && <NoteLink note={note} page={page} />}
                    </span>
                  </td>
                  <td className="right figures">{writeAmount(amount, currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
      {otherCurrencies.map(({ currency, balances }) => (
        <p key={currency} className="soft">
          Billed in {currency}, beside the equation above: {writeBalance(balances.billed, currency)}.
        </p>
      ))}
      {duplicates.map(({ subject, sameAs, amount, currency }) => (
        <p key={subject}>
          {page.lines[subject]} is the same line as {page.lines[sameAs]} and counts a second time, with{' '}
          {writeAmount(amount, currency)}. Reverse the invoice and import it again to keep it once.
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
