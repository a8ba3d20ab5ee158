// CodeMirror as the builder uses it: colours from the page's own variables, so that it follows the colour scheme; completion
// of the document's words; problems at their place. Loaded when an editor is first shown.
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap } from '@codemirror/lint'
import { EditorState, type Extension, type Text } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { Note, Offer } from './notes-and-offers.ts'
import { calls } from './vocabulary.ts'

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--accent-text)' },
  { tag: tags.comment, color: 'var(--text-soft)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--green)' },
  { tag: tags.number, color: 'var(--violet)' },
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--amber)' },
  { tag: tags.function(tags.variableName), color: 'var(--amber)' },
  { tag: tags.variableName, color: 'var(--accent-text)' },
  { tag: [tags.operator, tags.punctuation, tags.separator, tags.bracket], color: 'var(--text-soft)' },
])

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--ground)', color: 'var(--text)', fontSize: '0.8125rem' },
  // The frame around the editor shows the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontVariantLigatures: 'none',
    lineHeight: '1.6',
  },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--ground)', color: 'var(--text-soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--ground-soft)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--ground-soft)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--ground-chosen)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--ground-chosen)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--ground-raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
    color: 'var(--text)',
  },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '1.5' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--ground-chosen)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--text-soft)', fontStyle: 'normal', fontFamily: 'var(--mantine-font-family)' },
  '.cm-tooltip.cm-completionInfo': {
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '0.75rem',
    lineHeight: '1.4',
    maxWidth: '36ch',
    padding: '6px 10px',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-diagnostic': { fontFamily: 'var(--mantine-font-family)', padding: '6px 10px', maxWidth: '60ch' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--red)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--amber-line)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--red) 1px' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--amber-line) 1px' },
  '.cm-lint-marker': { width: '0.9em', height: '0.9em' },
})

/** The expression language, for syntax colours. */
const expression = StreamLanguage.define<null>({
  token: stream => {
    if (stream.eatSpace()) return null
    if (stream.match(/^\d+(?:\.\d+)?/)) return 'number'
    const name = stream.match(/^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)?/u)
    if (Array.isArray(name)) {
      if (/^(?:and|or|not)$/.test(name[0])) return 'keyword'
      return calls.some(({ label }) => label === name[0]) ? 'variableName.function' : 'variableName'
    }
    if (stream.match(/^(?:<=|>=|==|!=|[-+*/<>])/)) return 'operator'
    stream.next()
    return 'punctuation'
  },
})

interface EditorWords {
  readonly kind: 'yaml' | 'expression'
  readonly label: string
  readonly isReadOnly: boolean
  /** Suggestions for the cursor position. */
  readonly offer: (text: string, offset: number) => Offer | null
  readonly onText: (text: string) => void
}

export function extensionsFor({ kind, label, isReadOnly, offer, onText }: EditorWords): Extension[] {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
  const isExpression = kind === 'expression'
  return [
    EditorView.cspNonce.of(nonce),
    history(),
    bracketMatching(),
    typeOver,
    closeBrackets(),
    autocompletion({ override: [context => complete(context, offer)], icons: false }),
    syntaxHighlighting(colours),
    look,
    isExpression
      ? [expression, EditorView.lineWrapping, oneLine]
      : [yaml(), lineNumbers(), lintGutter(), highlightActiveLine()],
    EditorState.tabSize.of(2),
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
    // Tab still leaves the editor: the keyboard must not be trapped in it.
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.updateListener.of(update => {
      if (update.docChanged && !update.transactions.some(each => each.isUserEvent('other')))
        onText(update.state.doc.toString())
    }),
  ]
}

/**
 * Handles typing over a selection: Chrome would copy the look of the replaced text into a style attribute, which the page's
 * content security policy forbids.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { data, inputType, isComposing } = event
    const { from, to, empty } = view.state.selection.main
    if (inputType !== 'insertText' || data === null || isComposing || empty || view.state.readOnly) return false
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    const isTaken = view.state.facet(EditorView.inputHandler).some(take => take(view, from, to, data, insert))
    if (!isTaken) view.dispatch(insert())
    event.preventDefault()
    return true
  },
})

/** An expression is a single line; pasted lines are joined. */
const oneLine = EditorState.transactionFilter.of(transaction =>
  transaction.docChanged && transaction.newDoc.lines > 1
    ? [
        {
          changes: {
            from: 0,
            to: transaction.startState.doc.length,
            insert: transaction.newDoc.toString().replace(/\s*\n\s*/g, ' '),
          },
          selection: {
            anchor: Math.min(
              transaction.newSelection.main.head,
              transaction.newDoc.length - transaction.newDoc.lines + 1,
            ),
          },
        },
      ]
    : transaction,
)

function complete(context: CompletionContext, offer: EditorWords['offer']): CompletionResult | null {
  const found = offer(context.state.doc.toString(), context.pos)
  if (found === null || found.words.length === 0) return null
  if (!context.explicit && found.word === '' && !found.isEager) return null
  const line = context.state.doc.lineAt(context.pos)
  const indent = /^\s*(?:- )?/.exec(line.text)![0].replace('-', ' ')
  const options: Completion[] = found.words.map(({ label, detail, info, apply }) => ({
    label,
    detail,
    ...(info === undefined ? {} : { info }),
    ...(apply === undefined ? {} : { apply: apply.replaceAll('\n', `\n${indent}`) }),
  }))
  return { from: found.from, options, validFor: /^[\w./-]*$/ }
}

/** Problems as marks: on a whole line, or at a character of it. */
export function diagnosticsOf(notes: readonly Note[], doc: Text): Diagnostic[] {
  return notes.map(({ line, at, message, severity }) => {
    const place = doc.line(Math.min(Math.max(line, 1), doc.lines))
    const indent = /^\s*(?:- )?/.exec(place.text)![0].length
    const from = at === null ? place.from + Math.min(indent, place.length) : Math.min(place.from + at, place.to)
    const to = at === null ? place.to : Math.min(from + wordAfter(place.text.slice(from - place.from)), place.to)
    return { from, to: Math.max(from, to), severity, message }
  })
}

function wordAfter(text: string): number {
  return /^[\p{L}\p{N}_.]+/u.exec(text)?.[0].length ?? 1
}
