// A text editor in the page: React's side of CodeMirror. It reports typed text and applies changes made elsewhere.
import { setDiagnostics } from '@codemirror/lint'
import { EditorState, Transaction } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import classes from '../builder.module.css'
import { diagnosticsOf, extensionsFor } from './editor-setup.ts'
import type { Note, Offer } from './notes-and-offers.ts'

export interface CodeEditorProps {
  readonly kind: 'yaml' | 'expression'
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly notes: readonly Note[]
  readonly offer: (text: string, offset: number) => Offer | null
  readonly isReadOnly?: boolean
  /** The line to go to; a new object goes there again. */
  readonly goTo?: { readonly line: number } | null
}

export function CodeEditor({
  kind,
  label,
  text,
  onText,
  notes,
  offer,
  isReadOnly = false,
  goTo = null,
}: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const sent = useRef<string[]>([])
  const latest = useRef({ onText, offer, text })
  latest.current = { onText, offer, text }

  useEffect(() => {
    const made = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: extensionsFor({
          kind,
          label,
          isReadOnly,
          offer: (whole, offset) => latest.current.offer(whole, offset),
          onText: changed => {
            sent.current.push(changed)
            latest.current.onText(changed)
          },
        }),
      }),
    })
    view.current = made
    return () => {
      view.current = null
      made.destroy()
    }
  }, [kind, label, isReadOnly])

  useEffect(() => {
    const made = view.current
    // Text typed here comes back as a prop a moment later, perhaps after more was typed, and is no change from outside.
    const echo = sent.current.indexOf(text)
    sent.current.splice(0, echo + 1)
    if (made === null || echo >= 0 || made.state.doc.toString() === text) return
    sent.current.length = 0
    made.dispatch({
      changes: { from: 0, to: made.state.doc.length, insert: text },
      annotations: [Transaction.userEvent.of('other')],
    })
  }, [text])

  useEffect(() => {
    const made = view.current
    if (made !== null) made.dispatch(setDiagnostics(made.state, diagnosticsOf(notes, made.state.doc)))
  }, [notes])

  useEffect(() => {
    const made = view.current
    if (made === null || goTo === null) return
    const { from } = made.state.doc.line(Math.min(Math.max(goTo.line, 1), made.state.doc.lines))
    made.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
    made.focus()
  }, [goTo])

  return <div ref={place} className={kind === 'yaml' ? classes.yamlEditor : classes.lineEditor} />
}
