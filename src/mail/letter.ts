// A mail as text and as simple HTML: short sentences, a link to each page, and how to unsubscribe. It prints what it is
// given and decides nothing.
import {
  isLinkKind,
  isOptionalKind,
  type LinkMailKind,
  type MailKind,
  mailKindWords,
} from '../core/people/mail-kinds.ts'
import { onOneLine } from '../core/text/plain-name.ts'

/** One thing that is told, with its address. */
export interface LetterLine {
  readonly kind: MailKind
  /** `Steel brackets 2024-Q2`. */
  readonly title: string
  /** What happened: `waits for your signature`. */
  readonly words: string
  readonly address: string
}

interface LetterPaper {
  readonly workspace: string
  readonly kind: MailKind | 'digest'
  readonly lines: readonly LetterLine[]
  /** How many more lines there would be, by kind. */
  readonly more: ReadonlyMap<MailKind, number>
  /** Null for mail that carries a one-time link. */
  readonly unsubscribe: string | null
  /** Where a person chooses which mail they get; null in the same case. */
  readonly settings: string | null
}

export interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Names stand on one line, whatever they are: a mail has no other lines than these. */
function plainPaper(paper: LetterPaper): LetterPaper {
  const lines = paper.lines.map(({ kind, title, words, address }) => ({
    kind,
    title: onOneLine(title),
    words: onOneLine(words),
    address,
  }))
  return { ...paper, workspace: onOneLine(paper.workspace), lines }
}

export function writeLetter(given: LetterPaper): Letter {
  const paper = plainPaper(given)
  const { workspace, kind, lines, more } = paper
  const total = lines.length + [...more.values()].reduce((sum, each) => sum + each, 0)
  const subject = subjectOf(workspace, kind, lines, total)
  const groups = [...Map.groupBy(lines, line => line.kind)]
  const foot = footOf(paper)
  const text = [
    ...groups.flatMap(([each, own]) => [
      headOf(each, workspace, own.length + (more.get(each) ?? 0)),
      '',
      ...textLines(own, more.get(each) ?? 0),
    ]),
    '-- ',
    ...foot.map(({ words, address }) => `${words}${address === null ? '' : ` ${address}`}`),
  ].join('\n')
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>',
    escapeHtml(subject),
    '</title></head><body style="margin:0;padding:24px;background:#ffffff;color:#1b1f2a;font:15px/1.5 sans-serif">',
    ...groups.flatMap(([each, own]) => [
      `<p>${escapeHtml(headOf(each, workspace, own.length + (more.get(each) ?? 0)))}</p>`,
      ...htmlLines(own, more.get(each) ?? 0),
    ]),
    '<hr style="border:0;border-top:1px solid #d9dce3;margin:24px 0 12px">',
    ...foot.map(
      ({ words, address }) =>
        `<p style="margin:0;color:#5b6272;font-size:13px">${escapeHtml(words)}${address === null ? '' : ` ${link(address, address)}`}</p>`,
    ),
    '</body></html>',
  ].join('')
  return { subject, text: `${text}\n`, html }
}

function subjectOf(workspace: string, kind: MailKind | 'digest', lines: readonly LetterLine[], total: number): string {
  const [first] = lines
  if (kind === 'invitation') return `You are invited to ${workspace}`
  if (kind === 'reset') return `A new password for ${workspace}`
  if (kind === 'digest') return `${workspace}: ${total} ${total === 1 ? 'thing' : 'things'} since the last digest`
  if (total === 1 && first !== undefined) return `${first.title} ${first.words}`
  return `${workspace}: ${manyWords[kind](total)}`
}

/** Of mail that carries no link. */
type PlainKind = Exclude<MailKind, LinkMailKind>

const manyWords: Readonly<Record<PlainKind, (count: number) => string>> = {
  people: count => `${count} things about the people of your company`,
  signature: count => `${count} periods wait for your signature`,
  objection: count => `${count} messages about objections`,
  revision: count => `${count} figures that you sign on were revised`,
  late: count => `${count} series are late`,
}

function headOf(kind: MailKind, workspace: string, count: number): string {
  if (kind === 'invitation') return `You are invited to the workspace ${workspace} in Assize.`
  if (kind === 'reset') return `This link lets you set a new password for the workspace ${workspace} in Assize.`
  return `${count === 1 ? oneHeads[kind] : manyHeads[kind]} in ${workspace}:`
}

const oneHeads: Readonly<Record<PlainKind, string>> = {
  people: 'This was done about you or the people of your company',
  signature: 'This waits for your signature',
  objection: 'There is news about an objection',
  revision: 'A figure that an agreement you sign reads was revised',
  late: 'A series is late',
}

const manyHeads: Readonly<Record<PlainKind, string>> = {
  people: 'This was done about you or the people of your company',
  signature: 'These wait for your signature',
  objection: 'There is news about objections',
  revision: 'Figures that agreements you sign read were revised',
  late: 'Series are late',
}

function textLines(lines: readonly LetterLine[], more: number): string[] {
  return [
    ...lines.flatMap(({ title, words, address, kind }) =>
      !isLinkKind(kind) ? [`- ${title} ${words}`, `  ${address}`, ''] : [address, '', `${title} ${words}`, ''],
    ),
    ...(more > 0 ? [`and ${more} more.`, ''] : []),
  ]
}

function htmlLines(lines: readonly LetterLine[], more: number): string[] {
  const items = lines.map(({ title, words, address, kind }) =>
    !isLinkKind(kind)
      ? `<li style="margin:0 0 6px">${link(address, title)} ${escapeHtml(words)}</li>`
      : `<p>${link(address, address)}</p><p>${escapeHtml(`${title} ${words}`)}</p>`,
  )
  const rest = more > 0 ? [`<p>and ${more} more.</p>`] : []
  return lines.some(({ kind }) => !isLinkKind(kind))
    ? ['<ul style="padding-left:20px">', ...items, '</ul>', ...rest]
    : items
}

interface FootLine {
  readonly words: string
  readonly address: string | null
}

function footOf({ kind, unsubscribe, settings, workspace }: LetterPaper): FootLine[] {
  if (kind === 'people')
    return [{ words: 'If you did not expect this, ask the people of your company, or the operator.', address: null }]
  if (unsubscribe === null || settings === null)
    return [{ words: 'If you did not expect this, ignore it: without the link nothing happens.', address: null }]
  const what = isOptionalKind(kind) ? `no more mail of this kind (${mailKindWords[kind].title})` : 'no more mail'
  return [
    { words: `Get ${what} from ${workspace}:`, address: unsubscribe },
    { words: 'Choose which mail you get:', address: settings },
  ]
}

function link(address: string, words: string): string {
  return `<a href="${escapeHtml(address)}" style="color:#1f4fa3">${escapeHtml(words)}</a>`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}
