// `prices apply`: a price list from a file, or price lists from a folder, all of them or nothing. Each creates the list of an
// agreement, a new version if it differs, a proposal where both have to agree, or nothing if it does not.
import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { readWords } from '../../agreements/object.ts'
import { applyPriceLists, type RefusedRows } from '../../agreements/price-list.ts'
import { Refusal } from '../../core/refusal.ts'
import { readPriceList, tableSource } from '../../import/price-list.ts'
import { today } from '../frame/clock.ts'
import { type Invocation, Misuse, textOption } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf } from '../frame/progress.ts'
import { preparedCommand } from '../frame/workspace-command.ts'
import { printAllRefused, printNotes, sheetSpec } from './price-files.ts'

const end = 'nothing was applied'

/** A file and the agreement whose list it is. */
interface ListFile {
  readonly slug: string
  readonly file: string
}

export const pricesApplyCommand = preparedCommand({
  name: 'prices apply',
  usage: '<slug> <file.csv|.xlsx> | <folder> --workspace W [--from P] [--reason T]',
  summary:
    'Applies a price list to an agreement: the first one, a new version, "unchanged", or a proposal if both sides have to agree. Of a folder, <slug>.csv or <slug>.xlsx each. All or nothing.',
  options: {
    from: {
      type: 'string',
      value: 'P',
      help: 'the period from which the list governs, such as 2024-Q3; default: the first that nobody has signed',
    },
    sheet: sheetSpec,
    reason: { type: 'string', value: 'T', help: 'the reason, if both sides have to sign it first' },
    as: actorSpec,
  },
  positionals: [1, 2],
  prepare: async invocation => {
    const by = { who: actorOf(invocation), fromAddress: null }
    const sheet = textOption(invocation, 'sheet')
    const lists = []
    for (const named of await listsNamed(invocation)) {
      const isWorkbook = extname(named.file).toLowerCase() === '.xlsx'
      const isAlone = invocation.positionals.length === 2
      const source = tableSource(named.file, { bounds: null, sheet: isAlone || isWorkbook ? sheet : null })
      lists.push({ ...named, ...(await readPriceList(source)) })
    }
    return { by, lists }
  },
  async work({ invocation, sql, workspace, installation }, { by, lists }) {
    const library = openLibrary(installation, invocation)
    const from = textOption(invocation, 'from')
    const reason = textOption(invocation, 'reason')
    const why = reason === null ? {} : { reason: readWords('the reason', reason) }
    const requests = lists.map(({ slug, sound, problems }) => {
      return { workspaceId: workspace.id, agreement: slug, rows: sound, problems, from, today: today(), by, ...why }
    })
    const results = await applyPriceLists(sql, library, requests)
    const refused = results.flatMap((result, i) => (isRefused(result) ? [{ file: lists[i]!.file, ...result }] : []))
    if (refused.length > 0) return printAllRefused(invocation, refused, { end, files: lists.length })
    for (const { file, notes } of lists) printNotes(invocation, file, notes)
    const applied = results.filter(each => each !== null && !isRefused(each))
    const words = applied.map(({ agreement, outcome, version, items, proposal }) =>
      proposal === null
        ? `${agreement}: ${outcome}, price list ${version} with ${countOf(items, 'item')}\n`
        : `${agreement}: ${outcome}, both have to sign ${proposal}: a price list with ${countOf(items, 'item')}\n`,
    )
    return { json: invocation.positionals.length === 2 ? applied[0] : applied, words }
  },
})

function isRefused(result: object | null): result is RefusedRows {
  return result !== null && 'problems' in result
}

async function listsNamed({ positionals }: Invocation): Promise<readonly ListFile[]> {
  const [first, second] = positionals as [string, string?]
  if (second !== undefined) return [{ slug: first, file: second }]
  const found = await stat(first).catch(() => null)
  if (found?.isDirectory() !== true)
    throw new Misuse(`name an agreement and its file, or a folder of price lists; "${first}" is no folder`)
  const names = (await readdir(first)).filter(name => /\.(?:csv|xlsx)$/i.test(name)).sort()
  if (names.length === 0) throw new Refusal('not-found', `${first} contains no .csv or .xlsx`)
  const files = names.map(name => ({ slug: basename(name, extname(name)), file: join(first, name) }))
  for (const [slug, same] of Map.groupBy(files, each => each.slug))
    if (same.length > 1)
      throw new Refusal('invalid', `${slug} has two price lists: ${same.map(({ file }) => file).join(' and ')}`)
  return files
}
