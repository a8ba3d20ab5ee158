// Our notes against the official files under the folder that NOTE_RULES names: XML schemas of UBL 2.1
// and of Cross Industry Invoices, and schematron as XSLT. Nothing is fetched, and what is not there is said, not passed.
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import { readBillingFile } from '../../src/formats/notes/billing-file.ts'
import { formatNote } from '../../src/formats/notes/note-file.ts'
import { specimenFile, specimenNote } from '../support/files/note-specimens.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { type Outcome, scenario } from '../support/run/long-test.ts'

interface WrittenNote {
  readonly name: string
  readonly syntax: 'UBL' | 'CII'
  readonly isPeppol: boolean
  readonly text: string
}

/** Each kind of tax, given back and asked for, by the standard alone and by Peppol, in both syntaxes. */
function writtenNotes(): readonly WrittenNote[] {
  return ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'].flatMap(category =>
    (['-250.00', '250.00'] as const).flatMap(net =>
      [true, false].flatMap(isPeppol =>
        (['ubl', 'cii'] as const).map(form => {
          const said = readBillingFile(specimenFile(category, isPeppol))
          const name = `${category}${net.startsWith('-') ? '-credit' : '-debit'}${isPeppol ? '-peppol' : ''}.${form}`
          const syntax = form === 'ubl' ? ('UBL' as const) : ('CII' as const)
          return { name, syntax, isPeppol, text: formatNote({ ...specimenNote(net), said }, form, null) }
        }),
      ),
    ),
  )
}

interface Ground {
  readonly files: readonly string[]
  readonly notes: readonly WrittenNote[]
  /** The names of notes that a file has judged. */
  readonly checked: Set<string>
  readonly say: (line: string) => void
}

async function judgeNotes({ say }: LongRun): Promise<Outcome> {
  const folder = process.env.NOTE_RULES
  if (folder === undefined) {
    const failure = 'NOTE_RULES names no folder with official schemas (*.xsd) or schematron as XSLT (*.xslt)'
    return { summary: 'nothing checked', failures: [failure] }
  }
  const files = (await readdir(folder, { recursive: true })).map(file => join(folder, file))
  const notes = writtenNotes()
  const checked = new Set<string>()
  const ground = { files, notes, checked, say }
  const failures = [...(await bySchemas(ground)), ...(await bySchematron(ground))]
  if (checked.size === 0) failures.push('nothing was checked')
  return { summary: `${checked.size} of ${notes.length} notes`, failures }
}

async function bySchemas({ files, notes, checked, say }: Ground): Promise<readonly string[]> {
  xmlRegisterFsInputProviders()
  const schemas = new Map<string, string>()
  for (const file of files.filter(each => each.endsWith('.xsd'))) {
    const [, namespace] = /targetNamespace="([^"]+)"/.exec(await readFile(file, 'utf8')) ?? []
    if (namespace !== undefined && !schemas.has(namespace)) schemas.set(namespace, file)
  }
  const problems: string[] = []
  for (const [namespace, own] of Map.groupBy(notes, ({ text }) => namespaceOf(text))) {
    const file = schemas.get(namespace)
    if (file === undefined) {
      say(`no schema (*.xsd) of ${namespace} under the folder: ${own.length} notes not checked by one`)
      continue
    }
    using schema = XmlDocument.fromBuffer(await readFile(file), { url: file })
    using validator = XsdValidator.fromDoc(schema)
    for (const { name, text } of own) problems.push(...schemaProblems(validator, name, text))
    for (const { name } of own) checked.add(name)
    say(`${basename(file)}: ${own.length} notes`)
  }
  return problems
}

/** Of the root. */
function namespaceOf(text: string): string {
  return /<(?:CreditNote|Invoice) xmlns="([^"]+)"|xmlns:rsm="([^"]+)"/.exec(text)!.slice(1).find(Boolean)!
}

function schemaProblems(validator: XsdValidator, name: string, text: string): readonly string[] {
  using document = XmlDocument.fromString(text)
  try {
    validator.validate(document)
    return []
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error
    return error.details.map(({ message }) => `${name}: ${message.trim()}`)
  }
}

async function bySchematron({ files, notes, checked, say }: Ground): Promise<readonly string[]> {
  const found = files.filter(file => /\.xslt?$/.test(file) && /UBL|CII/.test(basename(file)))
  if (found.length === 0) {
    say('  no schematron as XSLT (*UBL*.xslt, *CII*.xslt) under the folder: its rules are not checked')
    return []
  }
  if (spawnSync('xslt3', ['-?']).error !== undefined) {
    say(
      '  schematron needs an XSLT 2 processor: put xslt3 (of the npm package xslt3) on the path; its rules are not checked',
    )
    return []
  }
  const place = await mkdtemp(join(tmpdir(), 'assize-note-rules-'))
  const problems: string[] = []
  try {
    for (const file of found) {
      const fits = ({ syntax, isPeppol }: WrittenNote) =>
        basename(file).includes(syntax) && (isPeppol || !/PEPPOL/i.test(basename(file)))
      const own = notes.filter(fits)
      let fired = 0
      for (const { name, text } of own) {
        const [source, out] = [join(place, name), join(place, `${name}.svrl`)]
        await writeFile(source, text)
        const { status, stderr } = spawnSync('xslt3', [`-xsl:${file}`, `-s:${source}`, `-o:${out}`], {
          encoding: 'utf8',
        })
        if (status !== 0) problems.push(`${name}: ${basename(file)} does not run: ${stderr.slice(0, 200)}`)
        checked.add(name)
        const report = status === 0 ? await readFile(out, 'utf8') : ''
        fired += [...report.matchAll(/<svrl:fired-rule/g)].length
        for (const [, attributes] of report.matchAll(/<svrl:failed-assert([^>]*)>/g))
          if (!/flag="warning"/.test(attributes!)) problems.push(`${name}: ${/ id="([^"]+)"/.exec(attributes!)?.[1]}`)
      }
      say(`${basename(file)}: ${own.length} notes, ${fired} rules fired`)
    }
  } finally {
    await rm(place, { recursive: true })
  }
  return problems
}

scenario(
  'note-rules',
  'notes of every kind of tax against the official schemas and schematron in the folder NOTE_RULES',
  { long: 1 },
  judgeNotes,
)
