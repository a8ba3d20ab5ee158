// Saves an issued note in one of its forms.
import type { Language } from '../../../src/core/billing/languages.ts'
import type { NoteForm } from '../../../src/formats/notes/note-forms.ts'
import { api } from '../../api.ts'
import { useWorkspace } from '../../session.ts'
import { useRequest } from '../dialog/use-request.ts'
import { saveFile } from '../table/save-file.ts'

export function useNoteFile(id: string, part: string) {
  const { path } = useWorkspace()
  const { error, isPending, ask } = useRequest()
  const save = (form: NoteForm, language?: Language) =>
    ask(async () => {
      const file = await api.get(path('/corrections/:id/notes/:part', { id, part, form, language }))
      saveFile(file.fileName, file.type, [file.text])
    })
  return { save, error, isPending }
}
