// Run that signs many things one piece after the other, so that there is progress to show, and remembers the rest: a person who
// closes the page in the middle is told on return.
import type {
  AgreementToSign,
  ChangeRow,
  CorrectionRow,
  RefusedAgreement,
  SignedSome,
} from '../../../../src/views/shapes/inbox.ts'
import { keyOfRow } from './selection.ts'

/** Part of a run that one request sends. */
export type Piece =
  | { readonly kind: 'periods'; readonly agreements: readonly AgreementToSign[] }
  | { readonly kind: 'correction'; readonly correction: CorrectionRow }
  | { readonly kind: 'changes'; readonly changes: readonly ChangeRow[] }

/** Most things of one request, which takes about a second. */
const most = { agreements: 20, periods: 60 }

/** Groups for requests of about the same size, in the order given. */
export function groupsOf<Each>(all: readonly Each[], periodsOf: (each: Each) => number): readonly (readonly Each[])[] {
  const groups: Each[][] = []
  let periods = 0
  for (const each of all) {
    const last = groups.at(-1)
    if (last === undefined || last.length === most.agreements || periods + periodsOf(each) > most.periods) {
      groups.push([each])
      periods = periodsOf(each)
    } else {
      last.push(each)
      periods += periodsOf(each)
    }
  }
  return groups
}

export function piecesOf(
  agreements: readonly AgreementToSign[],
  corrections: readonly CorrectionRow[],
  changes: readonly ChangeRow[],
): Piece[] {
  return [
    ...groupsOf(agreements, ({ periods }) => periods.length).map(
      (each): Piece => ({ kind: 'periods', agreements: each }),
    ),
    ...corrections.map((correction): Piece => ({ kind: 'correction', correction })),
    // Changes of terms come last: they begin after signed periods, which are therefore signed first.
    ...groupsOf(changes, () => 1).map((each): Piece => ({ kind: 'changes', changes: each })),
  ]
}

/** Rows of the inbox in a piece, by agreement and by key. */
export function rowsOf(piece: Piece): readonly { readonly slug: string; readonly key: string }[] {
  if (piece.kind === 'periods') return piece.agreements.map(({ slug }) => ({ slug, key: `periods ${slug}` }))
  const proposals = piece.kind === 'correction' ? [piece.correction] : piece.changes
  return proposals.map(row => ({ slug: row.slug, key: keyOfRow(row) }))
}

/** Periods, corrections and changes of terms. */
function sizeOf(piece: Piece): number {
  if (piece.kind === 'changes') return piece.changes.length
  return piece.kind === 'correction' ? 1 : piece.agreements.reduce((sum, { periods }) => sum + periods.length, 0)
}

export interface SigningRun {
  /** Periods, corrections and changes of terms. */
  readonly total: number
  /** Number of things that were signed or refused. */
  readonly done: number
  /** Number of things that are signed now. */
  readonly signed: number
  readonly signedAgreements: number
  readonly signedCorrections: number
  readonly signedChanges: number
  readonly refused: readonly RefusedAgreement[]
  /** Pieces that were not sent yet. */
  readonly left: readonly Piece[]
  /** Why it stopped before the end; null while it goes on, and at its end. */
  readonly stopped: unknown
}

export function begunRun(pieces: readonly Piece[]): SigningRun {
  const total = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
  const nothing = { done: 0, signed: 0, signedAgreements: 0, signedCorrections: 0, signedChanges: 0, refused: [] }
  return { total, ...nothing, left: pieces, stopped: null }
}

interface Running {
  readonly send: (piece: Piece) => Promise<SignedSome>
  readonly report: (run: SigningRun) => void
  readonly isCancelled: () => boolean
}

export class Cancelled extends Error {}

/** Goes on with the rest. A piece that was sent and not answered is sent again: a signature counts once. */
export async function goOn(from: SigningRun, { send, report, isCancelled }: Running): Promise<SigningRun> {
  let run: SigningRun = { ...from, stopped: null }
  while (run.left.length > 0) {
    const [piece, ...left] = run.left as [Piece, ...Piece[]]
    if (isCancelled()) {
      run = { ...run, stopped: new Cancelled('You stopped it.') }
      break
    }
    try {
      run = after(run, piece, await send(piece), left)
    } catch (error) {
      run = { ...run, stopped: error }
      break
    }
    report(run)
  }
  report(run)
  return run
}

function after(run: SigningRun, piece: Piece, { signed, refused }: SignedSome, left: readonly Piece[]): SigningRun {
  const periods = signed.reduce((sum, each) => sum + each.periods, 0)
  const of = (kind: Piece['kind']) => (piece.kind === kind ? signed.length : 0)
  return {
    ...run,
    done: run.done + sizeOf(piece),
    signed: run.signed + periods,
    signedAgreements: run.signedAgreements + of('periods'),
    signedCorrections: run.signedCorrections + of('correction'),
    signedChanges: run.signedChanges + of('changes'),
    refused: [...run.refused, ...refused],
    left,
  }
}

/** Pieces that were left when the page was closed. */
export interface Interrupted {
  readonly at: string
  readonly total: number
  readonly done: number
  /** The agreements, corrections and changes of terms that were not sent, by the keys of their rows. */
  readonly left: readonly string[]
}

function place(workspace: string, personId: string): string {
  return `assize-signing ${workspace} ${personId}`
}

/** Remembers the rest of a run; empty once nothing is left. */
export function rememberRun(workspace: string, personId: string, run: SigningRun): void {
  const left = run.left.flatMap(rowsOf).map(({ key }) => key)
  const kept: Interrupted = { at: new Date().toISOString(), total: run.total, done: run.done, left }
  try {
    if (left.length === 0) localStorage.removeItem(place(workspace, personId))
    else localStorage.setItem(place(workspace, personId), JSON.stringify(kept))
  } catch {
    // Without storage the rest is in the inbox all the same.
  }
}

export function forgetRun(workspace: string, personId: string): void {
  rememberRun(workspace, personId, begunRun([]))
}

export function recallRun(workspace: string, personId: string): Interrupted | null {
  try {
    const kept = localStorage.getItem(place(workspace, personId))
    return kept === null ? null : (JSON.parse(kept) as Interrupted)
  } catch {
    return null
  }
}
