// Name of a document's series in this workspace.
import type { CachedIndex } from '../../read/lists/cached-index.ts'

/** The series behind a reference, if the workspace has it. */
export function seriesNamed(reference: string, index: CachedIndex): { seriesId: string | null; name: string | null } {
  const series = index.findByReference(reference)
  return series === undefined
    ? { seriesId: null, name: null }
    : { seriesId: series.id, name: series.metadata.at(-1)!.name }
}
