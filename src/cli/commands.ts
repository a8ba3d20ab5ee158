// The list of all commands, and how one is found by its words.

import { adjustmentCommand } from './adjustment.ts'
import { backupCommand } from './backup.ts'
import { clockCheckCommand } from './clock-check.ts'
import { clockRepairCommand } from './clock-repair.ts'
import { type Command, inColumns } from './command.ts'
import { correctionListCommand } from './correction-list.ts'
import { correctionNoteCommand } from './correction-note.ts'
import { correctionProposeCommand } from './correction-propose.ts'
import { correctionRefuseCommand } from './correction-refuse.ts'
import { correctionShowCommand } from './correction-show.ts'
import { correctionSignCommand } from './correction-sign.ts'
import { correctionWaiveCommand } from './correction-waive.ts'
import { demoCommand } from './demo.ts'
import { evaluateCommand } from './evaluate.ts'
import { installationCommand } from './identity.ts'
import { importCommand } from './import.ts'
import { invoiceCheckCommand } from './invoice-check.ts'
import { invoiceImportCommand } from './invoice-import.ts'
import { invoiceListCommand } from './invoice-list.ts'
import { invoiceReverseCommand } from './invoice-reverse.ts'
import { keyCreateCommand } from './key-create.ts'
import { keyListCommand } from './key-list.ts'
import { keyRevokeCommand } from './key-revoke.ts'
import { ledgerCommand } from './ledger.ts'
import { migrateCommand } from './migrate.ts'
import { operatorAddCommand } from './operator-add.ts'
import { operatorListCommand } from './operator-list.ts'
import { operatorRemoveCommand } from './operator-remove.ts'
import { pamAnswerCommand, pamWithdrawCommand } from './pam-answer.ts'
import { pamApplyCommand } from './pam-apply.ts'
import { pamCheckCommand } from './pam-check.ts'
import { pamListCommand } from './pam-list.ts'
import { pamObjectCommand } from './pam-object.ts'
import { pamShowCommand } from './pam-show.ts'
import { pamSignCommand } from './pam-sign.ts'
import { partyCreateCommand } from './party-create.ts'
import { partyListCommand } from './party-list.ts'
import { partyRenameCommand } from './party-rename.ts'
import { pricesApplyCommand } from './prices-apply.ts'
import { pricesExportCommand } from './prices-export.ts'
import { pricesListCommand } from './prices-list.ts'
import { providerListCommand } from './provider-list.ts'
import { providerReadCommand } from './provider-read.ts'
import { quantityImportCommand } from './quantity-import.ts'
import { radarCommand } from './radar.ts'
import { receiptCommand } from './receipt.ts'
import { refreshCommand } from './refresh.ts'
import { restoreCommand } from './restore.ts'
import { seriesFollowCommand } from './series-follow.ts'
import { seriesListCommand } from './series-list.ts'
import { seriesQuarantineCommand } from './series-quarantine.ts'
import { seriesSearchCommand } from './series-search.ts'
import { serveCommand } from './serve.ts'
import { unitListCommand } from './unit-list.ts'
import { unitSetCommand } from './unit-set.ts'
import { userCreateCommand } from './user-create.ts'
import { userPasswordCommand } from './user-password.ts'
import { userResetFactorsCommand } from './user-reset-factors.ts'
import { verifyCommand } from './verify.ts'
import { workspaceCreateCommand } from './workspace-create.ts'
import { workspaceListCommand } from './workspace-list.ts'
import { workspaceSetCommand } from './workspace-set.ts'
import { workspaceShowCommand } from './workspace-show.ts'

/** In the order of the documentation. */
export const commands: readonly Command[] = [
  serveCommand,
  demoCommand,
  migrateCommand,
  installationCommand,
  workspaceCreateCommand,
  workspaceListCommand,
  workspaceShowCommand,
  workspaceSetCommand,
  partyCreateCommand,
  partyListCommand,
  partyRenameCommand,
  userCreateCommand,
  userPasswordCommand,
  userResetFactorsCommand,
  operatorAddCommand,
  operatorRemoveCommand,
  operatorListCommand,
  keyCreateCommand,
  keyListCommand,
  keyRevokeCommand,
  importCommand,
  seriesFollowCommand,
  seriesListCommand,
  seriesSearchCommand,
  seriesQuarantineCommand,
  refreshCommand,
  providerListCommand,
  providerReadCommand,
  pamApplyCommand,
  pamCheckCommand,
  pamListCommand,
  pamShowCommand,
  pamSignCommand,
  pamObjectCommand,
  pamAnswerCommand,
  pamWithdrawCommand,
  adjustmentCommand,
  evaluateCommand,
  receiptCommand,
  pricesApplyCommand,
  pricesListCommand,
  pricesExportCommand,
  invoiceCheckCommand,
  invoiceImportCommand,
  invoiceListCommand,
  invoiceReverseCommand,
  quantityImportCommand,
  radarCommand,
  ledgerCommand,
  unitSetCommand,
  unitListCommand,
  correctionProposeCommand,
  correctionListCommand,
  correctionShowCommand,
  correctionSignCommand,
  correctionRefuseCommand,
  correctionNoteCommand,
  correctionWaiveCommand,
  verifyCommand,
  backupCommand,
  restoreCommand,
  clockCheckCommand,
  clockRepairCommand,
]

/** The command with the longest name that the words begin with. */
export function findCommand(words: readonly string[]): { command: Command; rest: readonly string[] } | null {
  for (const count of [2, 1]) {
    const command = commands.find(candidate => candidate.name === words.slice(0, count).join(' '))
    if (command !== undefined) return { command, rest: words.slice(count) }
  }
  return null
}

/** The commands of a group: those whose names begin with the word. */
export function commandsOf(group: string): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `))
}

export function overview(): string {
  return `Assize: index-linked prices both sides can trust\n\n${table(commands)}\nRun assize <command> --help for details.\n`
}

export function groupHelp(group: string): string {
  const own = commandsOf(group)
  return `assize ${group} …\n\n${table(own)}\nRun assize ${group} <command> --help for details.\n`
}

function table(listed: readonly Command[]): string {
  const width = Math.max(...listed.map(({ name }) => name.length)) + 3
  return inColumns(
    listed.map(({ name, summary }) => [name, summary.split('. ')[0]!] as const),
    width,
  )
}
