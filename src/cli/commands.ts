// The list of all commands, and how one is found by its words. A command is loaded when it is asked for: together they take
// two to four times as long to load as one of them.
import { type Command, inColumns } from './command.ts'

/** By name, in the order of the documentation. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  installation: async () => (await import('./identity.ts')).installationCommand,
  'workspace create': async () => (await import('./workspace-create.ts')).workspaceCreateCommand,
  'workspace list': async () => (await import('./workspace-list.ts')).workspaceListCommand,
  'workspace show': async () => (await import('./workspace-show.ts')).workspaceShowCommand,
  'workspace set': async () => (await import('./workspace-set.ts')).workspaceSetCommand,
  'party create': async () => (await import('./party-create.ts')).partyCreateCommand,
  'party list': async () => (await import('./party-list.ts')).partyListCommand,
  'party rename': async () => (await import('./party-rename.ts')).partyRenameCommand,
  'user create': async () => (await import('./user-create.ts')).userCreateCommand,
  'user password': async () => (await import('./user-password.ts')).userPasswordCommand,
  'user reset-factors': async () => (await import('./user-reset-factors.ts')).userResetFactorsCommand,
  'operator add': async () => (await import('./operator-add.ts')).operatorAddCommand,
  'operator remove': async () => (await import('./operator-remove.ts')).operatorRemoveCommand,
  'operator list': async () => (await import('./operator-list.ts')).operatorListCommand,
  'key create': async () => (await import('./key-create.ts')).keyCreateCommand,
  'key list': async () => (await import('./key-list.ts')).keyListCommand,
  'key revoke': async () => (await import('./key-revoke.ts')).keyRevokeCommand,
  import: async () => (await import('./import.ts')).importCommand,
  'series follow': async () => (await import('./series-follow.ts')).seriesFollowCommand,
  'series list': async () => (await import('./series-list.ts')).seriesListCommand,
  'series search': async () => (await import('./series-search.ts')).seriesSearchCommand,
  'series quarantine': async () => (await import('./series-quarantine.ts')).seriesQuarantineCommand,
  refresh: async () => (await import('./refresh.ts')).refreshCommand,
  'provider list': async () => (await import('./provider-list.ts')).providerListCommand,
  'provider read': async () => (await import('./provider-read.ts')).providerReadCommand,
  'pam apply': async () => (await import('./pam-apply.ts')).pamApplyCommand,
  'pam check': async () => (await import('./pam-check.ts')).pamCheckCommand,
  'pam list': async () => (await import('./pam-list.ts')).pamListCommand,
  'pam show': async () => (await import('./pam-show.ts')).pamShowCommand,
  'pam sign': async () => (await import('./pam-sign.ts')).pamSignCommand,
  'pam object': async () => (await import('./pam-object.ts')).pamObjectCommand,
  'pam answer': async () => (await import('./pam-answer.ts')).pamAnswerCommand,
  'pam withdraw': async () => (await import('./pam-answer.ts')).pamWithdrawCommand,
  adjustment: async () => (await import('./adjustment.ts')).adjustmentCommand,
  evaluate: async () => (await import('./evaluate.ts')).evaluateCommand,
  receipt: async () => (await import('./receipt.ts')).receiptCommand,
  'prices apply': async () => (await import('./prices-apply.ts')).pricesApplyCommand,
  'prices list': async () => (await import('./prices-list.ts')).pricesListCommand,
  'prices export': async () => (await import('./prices-export.ts')).pricesExportCommand,
  'invoice check': async () => (await import('./invoice-check.ts')).invoiceCheckCommand,
  'invoice import': async () => (await import('./invoice-import.ts')).invoiceImportCommand,
  'invoice list': async () => (await import('./invoice-list.ts')).invoiceListCommand,
  'invoice reverse': async () => (await import('./invoice-reverse.ts')).invoiceReverseCommand,
  'quantity import': async () => (await import('./quantity-import.ts')).quantityImportCommand,
  radar: async () => (await import('./radar.ts')).radarCommand,
  ledger: async () => (await import('./ledger.ts')).ledgerCommand,
  'unit set': async () => (await import('./unit-set.ts')).unitSetCommand,
  'unit list': async () => (await import('./unit-list.ts')).unitListCommand,
  'correction propose': async () => (await import('./correction-propose.ts')).correctionProposeCommand,
  'correction list': async () => (await import('./correction-list.ts')).correctionListCommand,
  'correction show': async () => (await import('./correction-show.ts')).correctionShowCommand,
  'correction sign': async () => (await import('./correction-sign.ts')).correctionSignCommand,
  'correction refuse': async () => (await import('./correction-refuse.ts')).correctionRefuseCommand,
  'correction note': async () => (await import('./correction-note.ts')).correctionNoteCommand,
  'correction waive': async () => (await import('./correction-waive.ts')).correctionWaiveCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  'clock check': async () => (await import('./clock-check.ts')).clockCheckCommand,
  'clock repair': async () => (await import('./clock-repair.ts')).clockRepairCommand,
}

/** The command with the longest name that the words begin with. */
export async function findCommand(
  words: readonly string[],
): Promise<{ readonly command: Command; readonly rest: readonly string[] } | null> {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    if (Object.hasOwn(commands, name)) return { command: await commands[name]!(), rest: words.slice(count) }
  }
  return null
}

/** Whether commands begin with the word. */
export function isGroup(word: string): boolean {
  return namesOf(word).length > 0
}

export async function overview(): Promise<string> {
  const all = await table(Object.keys(commands))
  return `Assize: index-linked prices both sides can trust\n\n${all}\nRun assize <command> --help for details.\n`
}

export async function groupHelp(group: string): Promise<string> {
  const own = await table(namesOf(group))
  return `assize ${group} …\n\n${own}\nRun assize ${group} <command> --help for details.\n`
}

function namesOf(group: string): readonly string[] {
  return Object.keys(commands).filter(name => name.startsWith(`${group} `))
}

async function table(names: readonly string[]): Promise<string> {
  const width = Math.max(...names.map(name => name.length)) + 3
  const listed = await Promise.all(names.map(name => commands[name]!()))
  return inColumns(
    listed.map(({ name, summary }) => [name, summary.split('. ')[0]!] as const),
    width,
  )
}
