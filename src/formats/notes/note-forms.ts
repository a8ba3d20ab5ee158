// The forms in which a note is written, and the files they make.

export const noteForms = ['csv', 'ubl', 'cii', 'print'] as const
export type NoteForm = (typeof noteForms)[number]

/** The ending of a file of each form, and its type. */
export const noteFiles: Readonly<Record<NoteForm, { readonly ending: string; readonly type: string }>> = {
  csv: { ending: 'csv', type: 'text/csv' },
  ubl: { ending: 'ubl.xml', type: 'application/xml' },
  cii: { ending: 'cii.xml', type: 'application/xml' },
  print: { ending: 'html', type: 'text/html' },
}
