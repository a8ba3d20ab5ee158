// All commands, found by their words. A command is loaded when it is asked for: together they take two to four times as long to
// load as one of them.
import { type Command, inColumns, type Words } from './frame/command.ts'

/** Commands by name, in the order of the documentation. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./installation/serve.ts')).serveCommand,
  demo: async () => (await import('./installation/demo.ts')).demoCommand,
  migrate: async () => (await import('./installation/migrate.ts')).migrateCommand,
  installation: async () => (await import('./installation/identity.ts')).installationCommand,
  'secret list': async () => (await import('./secret/secret-list.ts')).secretListCommand,
  'secret add': async () => (await import('./secret/secret-add.ts')).secretAddCommand,
  'secret rotate': async () => (await import('./secret/secret-rotate.ts')).secretRotateCommand,
  'secret remove': async () => (await import('./secret/secret-remove.ts')).secretRemoveCommand,
  'workspace create': async () => (await import('./workspaces/workspace-create.ts')).workspaceCreateCommand,
  'workspace list': async () => (await import('./workspaces/workspace-list.ts')).workspaceListCommand,
  'workspace show': async () => (await import('./workspaces/workspace-show.ts')).workspaceShowCommand,
  'workspace set': async () => (await import('./workspaces/workspace-set.ts')).workspaceSetCommand,
  'party create': async () => (await import('./people/party-create.ts')).partyCreateCommand,
  'party list': async () => (await import('./people/party-list.ts')).partyListCommand,
  'party rename': async () => (await import('./people/party-rename.ts')).partyRenameCommand,
  'party billing': async () => (await import('./people/party-billing.ts')).partyBillingCommand,
  'user create': async () => (await import('./people/user-create.ts')).userCreateCommand,
  'user password': async () => (await import('./people/user-password.ts')).userPasswordCommand,
  'user reset-factors': async () => (await import('./people/user-reset-factors.ts')).userResetFactorsCommand,
  'user remove': async () => (await import('./people/user-remove.ts')).userRemoveCommand,
  'sso set': async () => (await import('./sso/sso-set.ts')).ssoSetCommand,
  'sso show': async () => (await import('./sso/sso-show.ts')).ssoShowCommand,
  'sso remove': async () => (await import('./sso/sso-remove.ts')).ssoRemoveCommand,
  'sso test': async () => (await import('./sso/sso-test.ts')).ssoTestCommand,
  'person erase': async () => (await import('./people/person-erase.ts')).personEraseCommand,
  'operator add': async () => (await import('./people/operator-add.ts')).operatorAddCommand,
  'operator remove': async () => (await import('./people/operator-remove.ts')).operatorRemoveCommand,
  'operator list': async () => (await import('./people/operator-list.ts')).operatorListCommand,
  'key create': async () => (await import('./workspaces/key-create.ts')).keyCreateCommand,
  'key list': async () => (await import('./workspaces/key-list.ts')).keyListCommand,
  'key revoke': async () => (await import('./workspaces/key-revoke.ts')).keyRevokeCommand,
  'feed create': async () => (await import('./people/feed-create.ts')).feedCreateCommand,
  'feed list': async () => (await import('./people/feed-list.ts')).feedListCommand,
  'feed revoke': async () => (await import('./people/feed-revoke.ts')).feedRevokeCommand,
  'webhook create': async () => (await import('./webhooks/webhook-create.ts')).webhookCreateCommand,
  'webhook list': async () => (await import('./webhooks/webhook-list.ts')).webhookListCommand,
  'webhook disable': async () => (await import('./webhooks/webhook-disable.ts')).webhookDisableCommand,
  'webhook enable': async () => (await import('./webhooks/webhook-disable.ts')).webhookEnableCommand,
  'webhook rotate': async () => (await import('./webhooks/webhook-rotate.ts')).webhookRotateCommand,
  'webhook deliveries': async () => (await import('./webhooks/webhook-deliveries.ts')).webhookDeliveriesCommand,
  'webhook replay': async () => (await import('./webhooks/webhook-deliveries.ts')).webhookReplayCommand,
  import: async () => (await import('./series/import.ts')).importCommand,
  'series follow': async () => (await import('./series/series-follow.ts')).seriesFollowCommand,
  'series list': async () => (await import('./series/series-list.ts')).seriesListCommand,
  'series search': async () => (await import('./series/series-search.ts')).seriesSearchCommand,
  'series quarantine': async () => (await import('./series/series-quarantine.ts')).seriesQuarantineCommand,
  refresh: async () => (await import('./series/refresh.ts')).refreshCommand,
  calendar: async () => (await import('./series/calendar.ts')).calendarCommand,
  'calendar refresh': async () => (await import('./series/calendar-refresh.ts')).calendarRefreshCommand,
  'calendar quarantine': async () => (await import('./series/calendar-quarantine.ts')).calendarQuarantineCommand,
  'splice suspects': async () => (await import('./index-changes/splice-suspects.ts')).spliceSuspectsCommand,
  'splice candidates': async () => (await import('./index-changes/splice-candidates.ts')).spliceCandidatesCommand,
  'index-event list': async () => (await import('./index-changes/index-event-list.ts')).indexEventListCommand,
  'index-event add': async () => (await import('./index-changes/index-event-add.ts')).indexEventAddCommand,
  'provider list': async () => (await import('./series/provider-list.ts')).providerListCommand,
  'provider read': async () => (await import('./series/provider-read.ts')).providerReadCommand,
  'agreement apply': async () => (await import('./agreements/apply.ts')).agreementApplyCommand,
  'agreement make': async () => (await import('./agreements/make.ts')).agreementMakeCommand,
  'agreement check': async () => (await import('./agreements/check.ts')).agreementCheckCommand,
  'agreement list': async () => (await import('./agreements/list.ts')).agreementListCommand,
  'agreement show': async () => (await import('./agreements/show.ts')).agreementShowCommand,
  'agreement sign': async () => (await import('./agreements/sign.ts')).agreementSignCommand,
  'agreement object': async () => (await import('./agreements/object.ts')).agreementObjectCommand,
  'agreement answer': async () => (await import('./agreements/answer.ts')).agreementAnswerCommand,
  'agreement withdraw': async () => (await import('./agreements/answer.ts')).agreementWithdrawCommand,
  adjustment: async () => (await import('./agreements/adjustment.ts')).adjustmentCommand,
  evaluate: async () => (await import('./agreements/evaluate.ts')).evaluateCommand,
  receipt: async () => (await import('./agreements/receipt.ts')).receiptCommand,
  'prices apply': async () => (await import('./prices/prices-apply.ts')).pricesApplyCommand,
  'prices list': async () => (await import('./prices/prices-list.ts')).pricesListCommand,
  'prices export': async () => (await import('./prices/prices-export.ts')).pricesExportCommand,
  'invoice check': async () => (await import('./prices/invoice-check.ts')).invoiceCheckCommand,
  'invoice import': async () => (await import('./prices/invoice-import.ts')).invoiceImportCommand,
  'invoice list': async () => (await import('./prices/invoice-list.ts')).invoiceListCommand,
  'invoice reverse': async () => (await import('./prices/invoice-reverse.ts')).invoiceReverseCommand,
  'quantity import': async () => (await import('./prices/quantity-import.ts')).quantityImportCommand,
  due: async () => (await import('./agreements/due.ts')).dueCommand,
  radar: async () => (await import('./true-up/radar.ts')).radarCommand,
  ledger: async () => (await import('./true-up/ledger.ts')).ledgerCommand,
  'unit set': async () => (await import('./prices/unit-set.ts')).unitSetCommand,
  'unit list': async () => (await import('./prices/unit-list.ts')).unitListCommand,
  'correction propose': async () => (await import('./true-up/correction-propose.ts')).correctionProposeCommand,
  'correction list': async () => (await import('./true-up/correction-list.ts')).correctionListCommand,
  'correction show': async () => (await import('./true-up/correction-show.ts')).correctionShowCommand,
  'correction sign': async () => (await import('./true-up/correction-sign.ts')).correctionSignCommand,
  'correction refuse': async () => (await import('./true-up/correction-refuse.ts')).correctionRefuseCommand,
  'correction note': async () => (await import('./true-up/correction-note.ts')).correctionNoteCommand,
  'correction waive': async () => (await import('./true-up/correction-waive.ts')).correctionWaiveCommand,
  'splice propose': async () => (await import('./index-changes/splice-propose.ts')).spliceProposeCommand,
  'splice offer': async () => (await import('./index-changes/splice-offer.ts')).spliceOfferCommand,
  'splice list': async () => (await import('./index-changes/splice-list.ts')).spliceListCommand,
  'splice show': async () => (await import('./index-changes/splice-show.ts')).spliceShowCommand,
  'splice sign': async () => (await import('./index-changes/splice-sign.ts')).spliceSignCommand,
  'splice refuse': async () => (await import('./index-changes/splice-refuse.ts')).spliceRefuseCommand,
  'audit export': async () => (await import('./audit/audit-export.ts')).auditExportCommand,
  'log show': async () => (await import('./log/log-show.ts')).logShowCommand,
  'log checkpoint': async () => (await import('./log/log-checkpoint.ts')).logCheckpointCommand,
  'log slip': async () => (await import('./log/log-slip.ts')).logSlipCommand,
  'log fork': async () => (await import('./log/log-fork.ts')).logForkCommand,
  'log resume': async () => (await import('./log/log-fork.ts')).logResumeCommand,
  verify: async () => (await import('./verify/verify.ts')).verifyCommand,
  mcp: async () => (await import('./mcp/mcp.ts')).mcpCommand,
  backup: async () => (await import('./installation/backup.ts')).backupCommand,
  'backup drill': async () => (await import('./installation/backup-drill.ts')).backupDrillCommand,
  restore: async () => (await import('./installation/restore.ts')).restoreCommand,
  'clock check': async () => (await import('./installation/clock-check.ts')).clockCheckCommand,
  'clock repair': async () => (await import('./installation/clock-repair.ts')).clockRepairCommand,
}

/** Groups that have a second name. */
const otherNames: Readonly<Record<string, string>> = { pam: 'agreement' }
const sameWords = Object.entries(otherNames).map(
  ([other, name]) => `assize ${other} … is the same as assize ${name} ….`,
)

function properGroup(word: string): string {
  return Object.hasOwn(otherNames, word) ? otherNames[word]! : word
}

/** The command with the longest name that the words begin with, under the name that it was called by. */
export async function findCommand(
  words: readonly string[],
): Promise<{ readonly command: Command; readonly rest: readonly string[] } | null> {
  const [first = '', second] = words
  const group = properGroup(first)
  for (const parts of [[group, second], [group]]) {
    const load = Object.hasOwn(commands, parts.join(' ')) ? commands[parts.join(' ')]! : null
    if (load === null) continue
    const name = [first, ...parts.slice(1)].join(' ')
    return { command: { ...(await load()), name }, rest: words.slice(parts.length) }
  }
  return null
}

/** Whether commands begin with the word. */
export function isGroup(word: string): boolean {
  return namesOf(word).length > 0
}

export async function overview(): Promise<Words> {
  const all = await table(Object.keys(commands))
  return [
    'Assize: index-linked prices both sides can trust',
    '',
    all,
    '',
    sameWords,
    'Run assize <command> --help for details.',
  ]
}

export async function groupHelp(word: string): Promise<Words> {
  const group = properGroup(word)
  const own = await table(namesOf(word))
  return [`assize ${group} …`, '', own, '', `Run assize ${group} <command> --help for details.`]
}

function namesOf(group: string): readonly string[] {
  return Object.keys(commands).filter(name => name.startsWith(`${properGroup(group)} `))
}

async function table(names: readonly string[]): Promise<Words> {
  const width = Math.max(...names.map(name => name.length)) + 3
  const listed = await Promise.all(names.map(name => commands[name]!()))
  return inColumns(
    listed.map(({ name, summary }) => [name, summary.split('. ')[0]!] as const),
    width,
  )
}
