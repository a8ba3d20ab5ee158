// The red bar that says that history was rewritten, and the note after a signature that offers its slip.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SlipsView } from '../../src/views/shapes/signatures.ts'
import { api, signedEvent } from '../api.ts'
import { saveFile } from '../components/table/save-file.ts'
import { useWorkspace } from '../session.ts'
import classes from './log-bar.module.css'
import { contradictionOf, keepNote, keptNote, placeOf } from './log-growth.ts'

/** Bar after a check, once a visit, whether the log grew out of the part that this browser has seen. */
export function LogBar() {
  const { path } = useWorkspace()
  const { data: contradiction } = useQuery({
    queryKey: ['log', 'growth'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const note = keptNote(localStorage)
      const kept = note === null ? null : placeOf(note)
      const given = kept === null ? { from: 0 } : { from: kept.size, origin: kept.origin }
      const growth = await api.get(path('/log/consistency', given), signal)
      const found = note === null || kept === null ? null : contradictionOf(note, growth)
      if (found === null && growth.checkpoint !== null) keepNote(localStorage, growth.checkpoint)
      return found
    },
  })
  if (contradiction == null) return null
  return (
    <div role="alert" className={classes.bar}>
      <strong>{contradiction}</strong>
      <p>
        The operator could make this page say anything. The proof is in the slips that you saved, checked with a
        verifier from another source. Keep the slips, and ask the operator for an explanation.
      </p>
      <button
        type="button"
        onClick={() => saveFile('checkpoint-seen.txt', 'text/plain', [keptNote(localStorage) ?? ''])}
      >
        Save the record of this browser
      </button>
    </div>
  )
}

/** Note with the slips of a signature, whichever page gave it. */
export function SlipNotice() {
  const [answered, setAnswered] = useState<readonly SlipsView[]>([])
  useEffect(() => {
    const hear = (event: Event) => {
      const slips = (event as CustomEvent<SlipsView>).detail
      if (slips.checkpoint !== null) keepNote(localStorage, slips.checkpoint)
      if (slips.count > 0 || slips.missing !== null) setAnswered(before => [...before, slips])
    }
    window.addEventListener(signedEvent, hear)
    return () => window.removeEventListener(signedEvent, hear)
  }, [])
  if (answered.length === 0) return null
  const files = answered.flatMap(({ file }) => file ?? [])
  const count = answered.reduce((sum, each) => sum + each.count, 0)
  const missing = answered.find(each => each.missing !== null)?.missing ?? null
  const save = () => {
    saveFile(
      files.at(-1)!.name,
      'text/plain',
      files.map(({ text }) => text),
    )
    setAnswered([])
  }
  return (
    <section aria-label="Slips" className={`${classes.notice} no-print`}>
      <p>
        {count > 0 &&
          `${count === 1 ? 'Your signature is' : `Your ${count} signatures are`} in the public log. A saved slip proves a signature without this server.`}
        {missing !== null && ` Signed, but without a slip for now: ${missing}`}
      </p>
      {files.length > 0 && (
        <button type="button" onClick={save}>
          {count === 1 ? 'Save the slip' : 'Save the slips'}
        </button>
      )}
      <button type="button" onClick={() => setAnswered([])}>
        Close
      </button>
    </section>
  )
}
