// `party billing`: billing details of a company for notes of corrections: shown, or changed field by field or from a file.
import { readFile } from 'node:fs/promises'
import { type PartyTexts, partyFields } from '../../core/billing/party-fields.ts'
import { Refusal } from '../../core/refusal.ts'
import { readDetailsFile } from '../../formats/notes/billing-file.ts'
import { findBillingParty, keepBillingDetails, loadBillingDetails } from '../../storage/agreements/billing-details.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { Misuse, textOption, textOptions, type Words } from '../frame/command.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { preparedCommand } from '../frame/workspace-command.ts'

export const partyBillingCommand = preparedCommand({
  name: 'party billing',
  usage: '<slug> --workspace W [--set FIELD=VALUE ...] [--file FILE]',
  summary:
    'Shows the billing details of a party for notes of corrections, or changes them: --set vat=ATU12345678, an empty value removes a field; --file replaces all of them. The slug - is the workspace, where it is the buyer itself.',
  options: {
    set: { type: 'string', multiple: true, value: 'FIELD=VALUE', help: 'a field and its new value' },
    file: {
      type: 'string',
      value: 'FILE',
      help: 'a YAML file with all fields, written as for one party in billing.yaml',
    },
    as: actorSpec,
  },
  positionals: 1,
  async prepare(invocation) {
    const set = textOptions(invocation, 'set').map(readSetting)
    const file = textOption(invocation, 'file')
    const whole = file === null ? null : readDetailsFile(await readFile(file, 'utf8'))
    return { set, whole, by: { who: actorOf(invocation), fromAddress: null } }
  },
  async work({ invocation, sql, workspace }, { set, whole, by }) {
    const slug = invocation.positionals[0]!
    if (set.length === 0 && whole === null) {
      const kept = await withWorkspace(sql, workspace.id, async tx => {
        await findBillingParty(tx, workspace.id, slug)
        return (await loadBillingDetails(tx, workspace.id)).get(slug)?.details ?? {}
      })
      return { json: { slug, details: kept }, words: formatDetails(slug, kept) }
    }
    const change = (kept: PartyTexts) => ({ ...(whole ?? kept), ...Object.fromEntries(set) })
    const { details, isChanged } = await keepBillingDetails(sql, workspace.id, slug, change, by)
    const words = isChanged ? formatDetails(slug, details) : `${slug}: nothing changed\n`
    return { json: { slug, details, changed: isChanged }, words }
  },
})

function readSetting(text: string): readonly [string, string] {
  const [, field, value] = /^([\w.]+)=(.*)$/s.exec(text) ?? []
  if (field === undefined) throw new Misuse(`--set must be FIELD=VALUE, got "${text}"`)
  if (!partyFields.some(({ key }) => key === field))
    throw new Refusal(
      'invalid',
      `there is no field "${field}"; known are ${partyFields.map(({ key }) => key).join(', ')}`,
    )
  return [field, value!]
}

function formatDetails(slug: string, details: PartyTexts): Words {
  const rows = partyFields.flatMap(({ key, label }) => (details[key] === undefined ? [] : [[key, details[key], label]]))
  return rows.length === 0 ? `${slug} keeps no billing details\n` : alignRows(rows)
}
