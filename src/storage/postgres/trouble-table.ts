// Names of trouble with the database: in an answer, in the log of the server, and by a command. database-errors.ts recognises it.
import type { DatabaseTrouble } from './database-errors.ts'

interface TroubleWords {
  readonly answer: string
  readonly retryAfterSeconds: number
  readonly log: string
  /** Words of a command, which changes everything or nothing, so that it can be run again. */
  readonly command: (message: string) => string
}

const tooBusy = () => 'the database is too busy to answer in time; run the command again'

export const troubleTable: Readonly<Record<DatabaseTrouble, TroubleWords>> = {
  away: {
    answer: 'the database is not available; try again',
    retryAfterSeconds: 2,
    log: 'the database cannot be reached',
    command: () =>
      'the connection to the database was lost; unconfirmed changes may not have been made: run the command again',
  },
  slow: {
    answer: 'a statement took the database too long and was stopped; try again, or request less at once',
    retryAfterSeconds: 5,
    log: 'a statement took too long and was stopped by the database',
    command: tooBusy,
  },
  locked: {
    answer: 'the same data is being changed at this moment and was not free in time; try again',
    retryAfterSeconds: 2,
    log: 'a statement did not get a lock in time',
    command: tooBusy,
  },
  full: {
    answer: 'the disk is full: nothing was changed; try again when there is room',
    retryAfterSeconds: 60,
    log: 'the disk is full',
    command: message =>
      `the disk of the database is full: ${message}; nothing was changed: free some space and run the command again`,
  },
}
