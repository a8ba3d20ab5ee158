// A mail as text and as simple HTML: short sentences, a link to each page, and how to unsubscribe. It decides nothing about its
// content.

import {
  isLinkKind,
  isOptionalKind,
  isWaitingKind,
  type LinkMailKind,
  type MailKind,
  mailKindWords,
  type WaitingMailKind,
} from '../core/people/mail-kinds.ts'
import { counted, countedAs } from '../core/text/counts.ts'
import { visibleText } from '../core/text/foreign-text.ts'
import { escapeHtml } from '../core/text/markup.ts'

/** One piece of news, with its address. */
export interface LetterLine {
  /** `Steel brackets 2024-Q2`. */
  readonly title: string
  /** The event: `waits for your signature`. */
  readonly words: string
  /** Details below it, each on a line of its own. */
  readonly details?: readonly string[]
  readonly address: string
}

export interface LetterGroup {
  readonly kind: MailKind
  readonly lines: readonly LetterLine[]
  /** Sentence about all of it, listed or not: `3 periods of 2 agreements wait for your signature`. */
  readonly many: string
  /** The unlisted rest: `2,412 more periods of 188 agreements`. */
  readonly more: string | null
  /** Page with all of it; null where each line has its own. */
  readonly everything: { readonly words: string; readonly address: string } | null
}

interface LetterPaper {
  readonly workspace: string
  readonly kind: MailKind | 'digest'
  readonly groups: readonly LetterGroup[]
  /** Number of events, for a digest. */
  readonly things: number
  /** Unsubscribe link; null for mail that carries a one-time link. */
  readonly unsubscribe: string | null
  /** Page where a person chooses their mail; null for mail that carries a one-time link. */
  readonly settings: string | null
}

export interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Letter with every name on one line, whatever it contains: a mail has no other lines than its own. */
function plainPaper(paper: LetterPaper): LetterPaper {
  const groups = paper.groups.map(group => ({
    ...group,
    lines: group.lines.map(({ title, words, details = [], address }) => ({
      title: visibleText(title),
      words: visibleText(words),
      details: details.map(visibleText),
      address,
    })),
  }))
  return { ...paper, workspace: visibleText(paper.workspace), groups }
}

export function writeLetter(given: LetterPaper): Letter {
  const paper = plainPaper(given)
  const { workspace, groups } = paper
  const subject = subjectOf(paper)
  const foot = footOf(paper)
  const text = [
    ...groups.flatMap(group => [headOf(group, workspace), '', ...textLines(group)]),
    '-- ',
    ...foot.map(({ words, address }) => `${words}${address === null ? '' : ` ${address}`}`),
  ].join('\n')
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>',
    escapeHtml(subject),
    '</title></head><body style="margin:0;padding:24px;background:#ffffff;color:#1b1f2a;font:15px/1.5 sans-serif">',
    ...groups.flatMap(group => [`<p>${escapeHtml(headOf(group, workspace))}</p>`, ...htmlLines(group)]),
    '<hr style="border:0;border-top:1px solid #d9dce3;margin:24px 0 12px">',
    ...foot.map(
      ({ words, address }) =>
        `<p style="margin:0;color:#5b6272;font-size:13px">${escapeHtml(words)}${address === null ? '' : ` ${link(address, address)}`}</p>`,
    ),
    '</body></html>',
  ].join('')
  return { subject, text: `${text}\n`, html }
}

function subjectOf({ workspace, kind, groups, things }: LetterPaper): string {
  if (kind === 'invitation') return `You are invited to ${workspace}`
  if (kind === 'reset') return `A new password for ${workspace}`
  if (kind === 'digest') return `${workspace}: ${counted(things, 'event')} since the last digest`
  const [group] = groups
  const [line] = group!.lines
  return isSingle(group!) ? `${line!.title} ${line!.words}` : `${workspace}: ${group!.many}`
}

function isSingle({ lines, more }: LetterGroup): boolean {
  return lines.length === 1 && more === null
}

/** Kinds of mail that carry no link. */
type PlainKind = Exclude<MailKind, LinkMailKind>

/** Sentence that counts the events of a kind; each event has a line. */
export const manyWords: Readonly<Record<Exclude<PlainKind, WaitingMailKind>, (count: number) => string>> = {
  people: count => `${counted(count, 'event')} about the people of your company`,
  webhook: count => `${countedAs(count, 'webhook was', 'webhooks were')} disabled`,
  drift: count =>
    `${countedAs(count, "change of providers' answers waits", "changes of providers' answers wait")} for an operator`,
  objection: count => `${counted(count, 'message')} about objections`,
  revision: count =>
    `${counted(count, 'figure')} behind agreements that you sign ${count === 1 ? 'was' : 'were'} revised`,
  late: count => countedAs(count, 'figure is late or does not come', 'figures are late or do not come'),
}

function headOf(group: LetterGroup, workspace: string): string {
  const { kind, many } = group
  if (kind === 'invitation') return `You are invited to the workspace ${workspace} in Assize.`
  if (kind === 'reset') return `This link lets you set a new password for the workspace ${workspace} in Assize.`
  if (isSingle(group)) return `${oneHeads[kind]} in ${workspace}:`
  return `${isWaitingKind(kind) ? many : manyHeads[kind]} in ${workspace}:`
}

const oneHeads: Readonly<Record<PlainKind, string>> = {
  people: 'An event about you or the people of your company',
  webhook: 'A connection to another system has ended',
  drift:
    'A provider changed the shape of its answers. You get this mail as an operator of the installation with a place',
  signature: 'An agreement waits for your signature',
  correction: 'An agreement waits for your signature',
  objection: 'There is news about an objection',
  revision: 'A figure behind an agreement that you sign was revised',
  late: 'A figure is late or does not come',
}

const manyHeads: Readonly<Record<Exclude<PlainKind, WaitingMailKind>, string>> = {
  people: 'Events about you or the people of your company',
  webhook: 'Connections to other systems have ended',
  drift:
    'Providers changed the shape of their answers. You get this mail as an operator of the installation with a place',
  objection: 'There is news about objections',
  revision: 'Figures behind agreements that you sign were revised',
  late: 'Figures are late or do not come',
}

function textLines({ kind, lines, more, everything }: LetterGroup): string[] {
  return [
    ...lines.flatMap(({ title, words, details = [], address }) =>
      !isLinkKind(kind)
        ? [`- ${title} ${words}`, ...details.map(detail => `  ${detail}`), `  ${address}`, '']
        : [address, '', `${title} ${words}`, ''],
    ),
    ...(more === null ? [] : [`and ${more}.`, '']),
    ...(everything === null ? [] : [everything.words, everything.address, '']),
  ]
}

function htmlLines({ kind, lines, more, everything }: LetterGroup): string[] {
  if (isLinkKind(kind))
    return lines.map(
      ({ title, words, address }) => `<p>${link(address, address)}</p><p>${escapeHtml(`${title} ${words}`)}</p>`,
    )
  return [
    '<ul style="padding-left:20px">',
    ...lines.map(
      ({ title, words, details = [], address }) =>
        `<li style="margin:0 0 6px">${link(address, title)} ${escapeHtml(words)}${details.map(detail => `<br>${escapeHtml(detail)}`).join('')}</li>`,
    ),
    '</ul>',
    ...(more === null ? [] : [`<p>and ${escapeHtml(more)}.</p>`]),
    ...(everything === null
      ? []
      : [`<p>${escapeHtml(everything.words)} ${link(everything.address, everything.address)}</p>`]),
  ]
}

interface FootLine {
  readonly words: string
  readonly address: string | null
}

function footOf({ kind, unsubscribe, settings, workspace }: LetterPaper): FootLine[] {
  if (kind === 'people')
    return [{ words: 'If you did not expect this, ask the people of your company, or the operator.', address: null }]
  if (kind === 'webhook')
    return [{ words: 'No event is lost: later events are delivered when the webhook is enabled again.', address: null }]
  if (kind === 'drift')
    return [{ words: 'An operator accepts or rejects it there, or by assize series quarantine.', address: null }]
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
