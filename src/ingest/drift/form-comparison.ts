// Compares the form of an answer with that of the answers before it. New columns and fields are normal, and so is a missing field
// that was not always there; a change of anything reliable is a sign. Pure.
import type { AnswerForm } from './form.ts'
import type { Sign } from './sign.ts'

/** Signs between two forms. `isEmpty`: the answer has no contents, so that only its outer form can be compared. */
export function formSigns(before: AnswerForm, after: AnswerForm, isEmpty = false): readonly Sign[] {
  if (before.format !== after.format)
    return [{ kind: 'format', words: `${formatWords(after)} was sent in place of ${formatWords(before)}` }]
  const signs: Sign[] = []
  if (before.contentType !== null && after.contentType !== null && before.contentType !== after.contentType)
    signs.push({
      kind: 'content-type',
      words: `the content type changed from ${before.contentType} to ${after.contentType}`,
    })
  if (after.isGarbled && !before.isGarbled)
    signs.push({ kind: 'encoding', words: 'letters are garbled, as if the encoding had changed' })
  if (isEmpty) return signs
  return [...signs, ...columnSigns(before, after), ...fieldSigns(before, after), ...repeatedSigns(before, after)]
}

function formatWords({ format }: AnswerForm): string {
  return format === 'nothing' || format === 'JSON' || format === 'XML' || format === 'text' ? format : `a ${format}`
}

function columnSigns(before: AnswerForm, after: AnswerForm): readonly Sign[] {
  if (before.columns === null || after.columns === null) return []
  const [was, is] = [before.columns, after.columns]
  const added = new Set(is.filter(column => !was.includes(column)))
  const doubled = is.filter((column, at) => is.indexOf(column) < at && was.indexOf(column) === was.lastIndexOf(column))
  return [
    ...was.flatMap((column, at): Sign[] => {
      if (is.includes(column)) return []
      const instead = is[at]
      const isRenamed = instead !== undefined && added.has(instead)
      const words = isRenamed ? `the column "${column}" is now "${instead}"` : `the column "${column}" is gone`
      return [{ kind: 'column', words }]
    }),
    ...doubled.map((column): Sign => ({ kind: 'column', words: `the column "${column}" is there twice` })),
  ]
}

function fieldSigns(before: AnswerForm, after: AnswerForm): readonly Sign[] {
  const signs: Sign[] = []
  const gone: string[] = []
  for (const [path, was] of Object.entries(before.fields)) {
    const is = after.fields[path]
    if (is === undefined) {
      // Only the outermost is told, and only where there was a place for it.
      if (was.endsWith('?') || !isMember(path) || !hasObject(after.fields[parentOf(path)])) continue
      gone.push(path)
    } else {
      const [old, now] = [plainKinds(was), plainKinds(is)]
      if (old.length > 0 && now.length > 0 && !now.some(kind => old.includes(kind)))
        signs.push({ kind: 'kind', words: `${nameOf(path)} was ${old.join(' or ')} and is ${now.join(' or ')}` })
    }
  }
  return [...gone.map(path => goneSign(path, before, after)), ...signs]
}

function goneSign(path: string, before: AnswerForm, after: AnswerForm): Sign {
  const parent = parentOf(path)
  const instead = Object.keys(after.fields).filter(
    each => isMember(each) && parentOf(each) === parent && before.fields[each] === undefined,
  )
  const words = `the field ${nameOf(path)} is gone`
  return { kind: 'field', words: instead.length === 1 ? `${words}, and ${nameOf(instead[0]!)} is new` : words }
}

function repeatedSigns(before: AnswerForm, after: AnswerForm): readonly Sign[] {
  return after.repeated
    .filter(path => !before.repeated.includes(path))
    .map(path => ({ kind: 'repeated', words: `the same row stands twice in ${nameOf(path)}` }))
}

/** A named member, not an item of a list or a cell known by its place. */
function isMember(path: string): boolean {
  return /[.@](?!\*)[^.@[\]]+$/.test(path)
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('@')))
}

function hasObject(kinds: string | undefined): boolean {
  return kinds?.includes('object') === true
}

function plainKinds(kinds: string): readonly string[] {
  return kinds
    .replace('?', '')
    .split('|')
    .filter(kind => kind !== 'null')
}

function nameOf(path: string): string {
  return path === '$' ? 'the document' : path.replace(/^\$\.?/, '')
}

/** The normal form after one more good answer: a field is always there only if it always was. */
export function mergeForms(before: AnswerForm, after: AnswerForm): AnswerForm {
  const paths = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])].sort()
  const fields = paths.map(path => [path, mergeField(path, before, after)] as const)
  return {
    ...after,
    contentType: after.contentType ?? before.contentType,
    columns: after.columns ?? before.columns,
    fields: Object.fromEntries(fields),
    repeated: [...new Set([...before.repeated, ...after.repeated])].sort(),
    isGarbled: before.isGarbled || after.isGarbled,
  }
}

function mergeField(path: string, before: AnswerForm, after: AnswerForm): string {
  const [was, is] = [before.fields[path], after.fields[path]]
  const kinds = [...new Set([was, is].flatMap(each => each?.replace('?', '').split('|') ?? []))].sort().join('|')
  const isSeen = (form: AnswerForm, kind: string | undefined) =>
    kind === undefined ? !isMember(path) || !hasObject(form.fields[parentOf(path)]) : !kind.endsWith('?')
  return isSeen(before, was) && isSeen(after, is) ? kinds : `${kinds}?`
}
