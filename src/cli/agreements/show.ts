// `agreement show`: an agreement from the database or from a file, and the worksheet it compiles to.

import { listToSign } from '../../agreements/open-signatures.ts'
import { Seal } from '../../agreements/seal.ts'
import { checkDocument } from '../../core/formula/check/check.ts'
import type { Formula } from '../../core/formula/formula.ts'
import { type Descriptions, restate } from '../../core/formula/restatement.ts'
import type { ContractWords } from '../../core/formula/words/contract-words.ts'
import { formatSubject } from '../../core/receipt/objection.ts'
import type { SignatureMeans } from '../../core/receipt/party-signature.ts'
import { Refusal } from '../../core/refusal.ts'
import { AgreementSnapshot } from '../../read/agreements/agreement-snapshot.ts'
import { settledOn } from '../../read/agreements/settled-price.ts'
import {
  type AgreementHistory,
  type FormulaVersion,
  loadAgreementHistory,
  loadWords,
} from '../../storage/agreements/agreements.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { currentInstant, today } from '../frame/clock.ts'
import { type Command, type Invocation, linesOf, printJson, textOption, type Words } from '../frame/command.ts'
import { loadFormula } from '../frame/files.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { stepList, worksheetHead } from '../frame/worksheet.ts'
import { settledJson, settledWords } from './settled-words.ts'

export const agreementShowCommand: Command = {
  name: 'agreement show',
  usage: '<slug> --workspace W [--version N] [--steps] · <file.yaml|.json> [--steps]',
  summary:
    'Shows an agreement, the contract’s own words, its settled price, formula versions, sign-offs and objections and, with --steps, the worksheet it compiles to.',
  options: {
    workspace: workspaceSpec,
    version: { type: 'string', value: 'N', help: 'this version; default: the newest' },
    steps: { type: 'boolean', help: 'the compiled lines, each with its expression and rounding' },
  },
  positionals: { least: 1, most: 1 },
  run(invocation) {
    const name = invocation.positionals[0]!
    return /\.(?:ya?ml|json)$/.test(name) ? showFile(invocation, name) : showKept(invocation, name)
  },
}

async function showFile(invocation: Invocation, path: string): Promise<number> {
  const loaded = await loadFormula(path, invocation.terminal)
  if (loaded === null) return 1
  const { formula, text, document } = loaded
  if (invocation.json)
    printJson(invocation, {
      slug: formula.slug,
      name: formula.name,
      status: formula.status,
      document,
      steps: stepsOf(formula),
    })
  else show(invocation, formula, 1, text)
  return 0
}

function stepsOf(formula: Formula) {
  return formula.steps.map(({ name, expr, note }) => ({ name, expr, note }))
}

function show({ terminal, options }: Invocation, formula: Formula, version: number, text: string): void {
  terminal.out([worksheetHead(formula, version), '', options.steps === true ? stepList(formula) : linesOf(text)])
}

function showKept(invocation: Invocation, slug: string): Promise<number> {
  return withInstallation(invocation, async installation => {
    const workspace = await workspaceOption(installation, invocation)
    const found = await withWorkspace(
      installation.sql,
      workspace.id,
      async tx => {
        const kept = await loadAgreementHistory(tx, workspace.id, slug)
        if (kept === null) return null
        const version = chosenVersion(kept, textOption(invocation, 'version'))
        const [said] = await loadWords(tx, workspace.id, [{ agreementId: kept.id, version: version.version }])
        const words = said?.words ?? null
        const snapshot = new AgreementSnapshot(kept, new Seal(installation.ring).rows)
        const standing = snapshot.at(null)!
        const settled = settledOn(standing, today())
        const toSign = await listToSign(tx, snapshot, currentInstant())
        return { kept, version, words, billing: standing.billing, settled, toSign }
      },
      'snapshot',
    )
    if (found === null) throw new Refusal('not-found', `there is no agreement "${slug}" in ${workspace.slug}`)
    const { kept, version, words, billing, settled, toSign } = found
    const now = { ...kept.states.at(-1)!, billing }
    // Changing the newest text and applying it must not bring back an old name or old terms.
    const text = version === kept.versions.at(-1) ? restate(version.documentText, now) : version.documentText
    const formula = { ...checkDocument(text).formula!, ...described(now) }
    if (invocation.json)
      printJson(invocation, { ...describe(kept, version, formula, text), words, settled: settledJson(settled), toSign })
    else {
      show(invocation, formula, version.version, text)
      const price = settled === null ? 'nothing' : settledWords(settled, formula.contract.price)
      invocation.terminal.out([...contractWords(words), '', 'Settled', `  ${price}`, history(kept)])
    }
    return 0
  })
}

function contractWords(words: ContractWords | null): string[] {
  if (words === null) return []
  return [
    '',
    'Contract’s own words',
    ...alignRows(
      words.sentences.map((sentence, i) => [`${i + 1}`, sentence]),
      [0],
    ),
  ]
}

function chosenVersion({ versions, slug }: AgreementHistory, wanted: string | null) {
  const version = wanted === null ? versions.at(-1) : versions.find(each => each.version.toString() === wanted)
  if (version !== undefined) return version
  throw new Refusal('not-found', `${slug} has no version "${wanted}"; there are 1 to ${versions.length}`)
}

/** Descriptions that are shown with the agreement, whichever version it is. */
function described({ name, description, status, parties, billing }: Descriptions): Descriptions {
  return { name, description, status, parties, billing }
}

function describe(
  kept: AgreementHistory,
  { version, document }: FormulaVersion,
  formula: Formula,
  documentText: string,
) {
  return {
    id: kept.id,
    slug: kept.slug,
    name: formula.name,
    description: formula.description,
    status: formula.status,
    billing: formula.billing,
    version,
    document,
    documentText,
    steps: stepsOf(formula),
    versions: kept.versions.map(each => ({
      version: each.version,
      recordedAt: each.recordedAt,
      createdBy: each.createdBy,
    })),
    signOffs: kept.signOffs.map(({ period, party, signedBy, signedAt, receiptHash, given }) => ({
      period,
      party,
      who: signedBy,
      date: signedAt.slice(0, 10),
      hash: receiptHash,
      means: given.means,
    })),
    objections: kept.objections.map(({ id, period, hash, party, by, at, means, about, reason, reading, answers }) => ({
      id,
      period,
      party,
      who: by,
      date: at.slice(0, 10),
      hash,
      means,
      about,
      reason,
      reading,
      answers: answers.map(each => ({
        kind: each.kind,
        party: each.party,
        who: each.by,
        date: each.at.slice(0, 10),
        means: each.means,
        words: each.words,
      })),
    })),
  }
}

const meansInWords: Readonly<Record<SignatureMeans, string>> = {
  PASSKEY: 'by passkey',
  PROVIDER: 'by the identity provider',
  PASSWORD: 'by password',
  OPERATOR: 'by the operator, in their name',
}

function history({ versions, signOffs, objections }: AgreementHistory): Words {
  const rows = versions.map(({ version, recordedAt, createdBy }) => [
    `formula ${version}`,
    recordedAt.slice(0, 10),
    createdBy,
  ])
  const signed = signOffs.map(({ period, party, signedBy, signedAt, receiptHash, given }) => [
    period,
    party,
    signedBy,
    signedAt.slice(0, 10),
    `${receiptHash.slice(0, 8)}…`,
    meansInWords[given.means],
  ])
  const list = signed.length === 0 ? '  nothing is signed yet' : alignRows(signed)
  const said = objections.map(({ id, period, party, by, at, about, answers }) => [
    period,
    party,
    by,
    at.slice(0, 10),
    formatSubject(about),
    answers.some(({ kind }) => kind === 'WITHDRAWAL') ? 'withdrawn' : '',
    id,
  ])
  const against = said.length === 0 ? [] : ['', 'Objections', alignRows(said)]
  return ['', 'Versions', alignRows(rows), '', 'Sign-offs', list, against]
}
