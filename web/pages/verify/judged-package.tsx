// The verdict on an evidence package: what was checked, every number and every correction with who signed it, whose key sealed it,
// and what rests on the operator's word.
import type { PublishedKeys } from '../../../src/core/receipt/verdict.ts'
import type { CheckedPackage } from '../../../src/formats/evidence/check.ts'
import { packageHeading, problemsToShow, signedWords } from '../../../src/formats/evidence/package-words.ts'
import { Facts } from '../../components/page/facts.tsx'
import { IconAlert, IconCheck } from '../../components/page/icons.tsx'
import { Section } from '../../components/page/page.tsx'
import { sentenceCase, writeFigure, writeInstant, writeMoney, writePct } from '../../components/words/words.ts'
import { Answers } from './judged.tsx'
import { describePackage } from './package-answers.ts'
import classes from './verify.module.css'

interface JudgedPackageProps {
  readonly fileName: string
  readonly checked: CheckedPackage
  readonly own: PublishedKeys | null
}

export function JudgedPackage({ fileName, checked, own }: JudgedPackageProps) {
  const { isGood, manifest } = checked
  const body = manifest?.body
  return (
    <>
      <div className={classes.verdict} data-kind={isGood ? 'good' : 'bad'}>
        {isGood ? <IconCheck /> : <IconAlert />}
        <div>
          <h2>{packageHeading(checked)}</h2>
          {isGood ? (
            <p>
              {fileName}: every number was computed again, every signature checked, every file compared with the sealed
              list.
            </p>
          ) : (
            <>
              <p>{fileName}: do not rely on this package.</p>
              <ul className={classes.problems}>
                {problemsToShow([checked]).map(problem => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            </>
          )}
          <Answers told={describePackage(checked, own)} />
        </div>
      </div>
      {body !== undefined && (
        <Facts
          facts={[
            { label: 'Evidence for', value: body.agreement.name, note: body.agreement.slug },
            { label: 'Periods', value: body.from === body.to ? body.from : `${body.from} to ${body.to}` },
            { label: 'Workspace', value: body.workspace.name, note: body.workspace.slug },
            { label: 'Made', value: writeInstant(body.madeAt), note: body.madeBy },
          ]}
        />
      )}
      <Parts checked={checked} />
      <Numbers checked={checked} />
      <Corrections checked={checked} />
    </>
  )
}

function Verdict({ problems, good }: { readonly problems: readonly string[]; readonly good: string }) {
  if (problems.length === 0) return <span className={classes.good}>{good}</span>
  return <span className={classes.bad}>{problems[0]}</span>
}

function Parts({ checked: { parts } }: { readonly checked: CheckedPackage }) {
  return (
    <Section title="What was checked">
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col" className="on-wide">
              Found
            </th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ title, words, problems }) => (
            <tr key={title}>
              <td>{title}</td>
              <td className={`on-wide ${classes.found}`}>{words}</td>
              <td>
                <Verdict problems={problems.length === 0 ? [] : [`${problems.length} wrong`]} good="good" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function Numbers({ checked: { receipts } }: { readonly checked: CheckedPackage }) {
  return (
    <Section title="The numbers">
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col">Receipt</th>
            <th scope="col" className="right">
              Adjustment
            </th>
            <th scope="col" className="right on-wide">
              Price
            </th>
            <th scope="col" className="on-wide">
              Signed by
            </th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {receipts.map(({ name, verdict, problems }) => {
            const { adjustmentPct = null, price = null } = verdict?.receipt.body.result ?? {}
            return (
              <tr key={name}>
                <td className="figures">
                  {name}
                  <div className="soft on-narrow">
                    <Signed words={signedWords(verdict?.signatures ?? [], verdict?.receipt.body.parties)} />
                  </div>
                </td>
                <td className="right">{adjustmentPct === null ? '–' : writePct(adjustmentPct)}</td>
                <td className="right on-wide">{price === null ? '–' : writeFigure(price)}</td>
                <td className="on-wide">
                  <Signed words={signedWords(verdict?.signatures ?? [], verdict?.receipt.body.parties)} />
                </td>
                <td>
                  <Verdict problems={problems} good="computed again: same" />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Section>
  )
}

function Signed({ words }: { readonly words: readonly string[] }) {
  return words.map(each => <p key={each}>{each}</p>)
}

function Corrections({ checked: { corrections } }: { readonly checked: CheckedPackage }) {
  if (corrections.length === 0) return null
  return (
    <Section title="The corrections">
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col">Correction of</th>
            <th scope="col" className="right">
              Net
            </th>
            <th scope="col">State</th>
            <th scope="col" className="on-wide">
              Signed by
            </th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {corrections.map(({ id, record, verdict, problems }) => {
            const body = verdict?.correction.body
            const net =
              body?.net == null ? '–' : `${writeMoney(body.net, body.currency)}${body.waived ? ', waived' : ''}`
            return (
              <tr key={id}>
                <td className="figures">
                  {body?.periods.map(({ period }) => period).join(', ') ?? id}
                  <div className="soft on-narrow">
                    <Signed words={signedWords(verdict?.signatures ?? [], body?.parties)} />
                  </div>
                </td>
                <td className="right">{net}</td>
                <td>{sentenceCase(record?.state.toLowerCase().replaceAll('_', ' ') ?? 'unknown')}</td>
                <td className="on-wide">
                  <Signed words={signedWords(verdict?.signatures ?? [], body?.parties)} />
                </td>
                <td>
                  <Verdict problems={problems} good="computed again: same" />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Section>
  )
}
