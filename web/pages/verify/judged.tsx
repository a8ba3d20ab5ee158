// What became of a receipt: the same, or the first line that differs with both numbers; who signed it; and the whole
// worksheet to read along.
import { IconAlert, IconCheck } from '../../components/icons.tsx'
import { Section } from '../../components/page.tsx'
import { sentenceCase, writeDay, writeFigure, writeInstant, writeMoney, writePct } from '../../components/words.ts'
import { Contributions } from '../adjustment/contributions.tsx'
import { Observations } from '../adjustment/observations.tsx'
import { Worksheet } from '../adjustment/worksheet.tsx'
import { type Fact, Facts } from '../formula/facts.tsx'
import { type ReceiptView, viewReceipt } from './receipt-view.ts'
import { tellApart, type Verdict, writeLine } from './verdict.ts'
import classes from './verify.module.css'

export function Judged({ fileName, verdict }: { readonly fileName: string; readonly verdict: Verdict }) {
  const view = viewReceipt(verdict.receipt.body)
  const marked = /^step (\S+)/.exec(verdict.difference?.line ?? '')?.[1] ?? null
  return (
    <>
      <div className={classes.verdict} data-kind={verdict.isSame ? 'good' : 'bad'}>
        {verdict.isSame ? <IconCheck /> : <IconAlert />}
        <div>
          <h2>{verdict.isSame ? 'Same' : 'Different'}</h2>
          <Words fileName={fileName} verdict={verdict} view={view} />
        </div>
      </div>
      <Facts facts={answerOf(view, verdict)} />
      <Section title="The receipt">
        <Facts isSmall facts={receiptFacts(verdict, view)} />
      </Section>
      <Section title="Where it comes from">
        <Contributions components={view.components} controls={view.controls} adjustmentPct={view.adjustmentPct} />
      </Section>
      <Section title={verdict.isSame ? 'The calculation, line by line' : 'The calculation as it is recomputed'}>
        <Worksheet steps={view.steps} marked={marked} />
      </Section>
      <Section title="The published figures in the receipt">
        <Observations observations={view.observations} workspace={null} />
      </Section>
    </>
  )
}

interface WordsProps {
  readonly fileName: string
  readonly verdict: Verdict
  readonly view: ReceiptView
}

function Words({ fileName, verdict, view }: WordsProps) {
  const { difference, isHashSame, receipt, hash, seal } = verdict
  if (difference !== null) {
    const [written, recomputed] = tellApart(difference)
    return (
      <>
        <p>{fileName} does not give what it says. The first line that differs:</p>
        <Apart line={difference.line} written={written} recomputed={recomputed} />
        <p>It was altered after it was issued, or made by another program. Do not rely on its number.</p>
      </>
    )
  }
  if (!isHashSame)
    return (
      <>
        <p>Its lines recompute, but not to the hash it carries, so it is not the receipt that hash was given for.</p>
        <Apart line="hash" written={String(receipt.hash ?? 'nothing')} recomputed={hash} />
      </>
    )
  if (seal === 'bad')
    return (
      <p>
        Its lines and its hash recompute, but the signature on it is not one of this hash under the key it names: it was
        altered and computed anew, or the signature belongs to another receipt.
      </p>
    )
  return (
    <p>
      {fileName} recomputes to {writePct(view.adjustmentPct)} in all its {view.steps.length} lines, from{' '}
      {view.observations.length} published figures. {sealWords(verdict)}
    </p>
  )
}

function Apart({
  line,
  written,
  recomputed,
}: {
  readonly line: string
  readonly written: string
  readonly recomputed: string
}) {
  return (
    <dl className={classes.apart}>
      <div>
        <dt>Where</dt>
        <dd>{writeLine(line)}</dd>
      </div>
      <div>
        <dt>The receipt says</dt>
        <dd className="mono">{writeFigure(written)}</dd>
      </div>
      <div>
        <dt>Recomputed</dt>
        <dd className="mono">{writeFigure(recomputed)}</dd>
      </div>
    </dl>
  )
}

function sealWords({ seal }: Verdict): string {
  switch (seal) {
    case 'good':
      return 'The signature of the installation that issued it is good.'
    case 'none':
      return 'It carries no signature, so it does not show which installation issued it.'
    case 'unknown':
      return 'This browser cannot check Ed25519 signatures, so who issued it was not checked; the command line can.'
    case 'bad':
      return 'The signature on it is wrong.'
  }
}

/** As recomputed; where the receipt says otherwise, that stands beside it. */
function answerOf(view: ReceiptView, { receipt, difference }: Verdict): Fact[] {
  const { adjustmentPct, cumulativePct, price, currency, unit, period, adjustmentDate } = view
  const result: Partial<Record<string, unknown>> = { ...receipt.body.result }
  const label = (words: string) => (difference === null ? words : `${words}, recomputed`)
  const note = (key: string, recomputed: string | null, words: string, write: (figure: string) => string) => {
    const written = result[key]
    const claim = typeof written === 'string' && written !== recomputed ? `the receipt says ${write(written)}` : ''
    return claim === '' ? words : claim
  }
  return [
    {
      label: label('Adjustment'),
      value: writePct(adjustmentPct),
      note: note('adjustmentPct', adjustmentPct, `${period}, ${writeDay(adjustmentDate)}`, writePct),
    },
    ...(price === null
      ? []
      : [
          {
            label: label('Price'),
            value: writeMoney(price, currency),
            note: note('price', price, unit === null ? '' : `per ${unit}`, amount => writeMoney(amount, currency)),
          },
        ]),
    {
      label: label('Since the start'),
      value: writePct(cumulativePct),
      note: note('cumulativePct', cumulativePct, '', writePct),
    },
  ]
}

const sealLabels = { none: 'not signed', good: 'good', bad: 'wrong', unknown: 'not checked in this browser' } as const

function receiptFacts({ receipt, hash, seal, isHashSame }: Verdict, view: ReceiptView): Fact[] {
  return [
    { label: 'Formula', value: view.name },
    { label: 'Version', value: view.formulaVersion.toString() },
    { label: 'Figures', value: sentenceCase(view.dataVersion.toLowerCase()) },
    ...(receipt.issuedAt === null ? [] : [{ label: 'Issued', value: writeInstant(receipt.issuedAt) }]),
    { label: 'Signature', value: sealLabels[seal] },
    ...(receipt.signature === null
      ? []
      : [
          {
            label: seal === 'good' ? 'Signed by the key' : 'Key it names',
            value: <span className="mono">ed25519:{receipt.signature.publicKey}</span>,
            note: 'Compare it with the key that whoever runs the installation gave you.',
          },
        ]),
    {
      label: isHashSame ? 'Hash (SHA-256)' : 'Hash, recomputed (SHA-256)',
      value: <span className="mono">{hash}</span>,
    },
  ]
}
