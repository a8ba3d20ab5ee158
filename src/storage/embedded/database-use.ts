// One process's use of the embedded database: the two locks by which processes agree who starts and who stops it
// (docs/decisions/0101), and the work that is left when the process ends without leaving.
import { limits } from '../../limits.ts'
import { FileLock } from './file-lock.ts'
import { type Cluster, readPostmaster, signalStop } from './postmaster.ts'
import { exitOnSignal } from './signal-exit.ts'

export interface LockedCluster extends Cluster {
  /** Lock file of a turn: locked exclusively while starting, stopping or joining. */
  readonly turnFile: string
  /** Lock file of the users: locked shared by every process that uses the database. */
  readonly usersFile: string
}

export class Stay {
  readonly #cluster: LockedCluster
  readonly #listenNoMore: () => void
  #turn: FileLock | null = null
  #lease: FileLock | null = null

  constructor(cluster: LockedCluster) {
    this.#cluster = cluster
    process.once('exit', this.#leaveAtExit)
    this.#listenNoMore = exitOnSignal()
  }

  /** Only one process at a time starts, joins, stops or restarts the database. */
  async takeTurn<Result>(work: () => Promise<Result>, waitMs: number = limits.embeddedTurnMs): Promise<Result> {
    const turn = await FileLock.wait(this.#cluster.turnFile, 'alone', waitMs)
    this.#turn = turn
    try {
      return await work()
    } finally {
      this.#turn = null
      turn.release()
    }
  }

  /** Begins the use, inside a turn: from here on the database stays. */
  async begin(): Promise<void> {
    this.#lease = await FileLock.wait(this.#cluster.usersFile, 'shared', limits.embeddedTurnMs)
  }

  /**
   * Ends the use, inside a turn. The last process to leave gets the lock under which it stops the database, all others `null`.
   */
  leave(): FileLock | null {
    this.#lease?.release()
    return FileLock.try(this.#cluster.usersFile, 'alone')
  }

  /** The process has left, or could not join: nothing is to be done when it ends. */
  end(): void {
    process.off('exit', this.#leaveAtExit)
    this.#listenNoMore()
    this.#lease?.release()
  }

  /** Leaves synchronously; the database stops by itself afterwards. */
  readonly #leaveAtExit = (): void => {
    if (this.#turn === null && this.#lease === null) return
    const turn = this.#turn ?? FileLock.try(this.#cluster.turnFile, 'alone', limits.embeddedExitTurnMs)
    if (turn === null) return
    const alone = this.leave()
    const found = readPostmaster(this.#cluster.dataFolder)
    if (alone !== null && found !== null) signalStop(this.#cluster, found, 'SIGINT')
    alone?.release()
    turn.release()
  }
}
