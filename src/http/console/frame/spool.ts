// Files on their way: received to the disk, within bounds for a person, a workspace and all, before any other place is taken for
// them. A file that arrives slowly keeps nobody from reading theirs, and one that arrives too slowly is cut off.
import type { IncomingMessage } from 'node:http'
import { Refusal, type RefusalKind } from '../../../core/refusal.ts'
import { limits } from '../../../limits.ts'
import { FairPlaces, type NoPlace } from '../../traffic/fair-places.ts'
import type { Patience } from '../../traffic/patience.ts'
import { placeLimits } from '../../traffic/place-limits.ts'
import { readFile } from './request-body.ts'
import { keepUpload, type UploadedFile } from './upload-file.ts'

/** Sender of a file, and the number of files their workspace may send at once. */
interface Sender {
  readonly workspace: string
  readonly person: string
  readonly perWorkspace: number
}

export class Spool {
  readonly #folder: string
  readonly #patience: Patience
  readonly #arriving = new FairPlaces(placeLimits.arrivingFiles)
  /** Bytes of files that arrive, wait or are read, by workspace. */
  readonly #bytes = new Map<string, number>()
  #allBytes = 0

  constructor(folder: string, patience: Patience) {
    this.#folder = folder
    this.#patience = patience
  }

  /** Receives the whole file; its room on the disk is free again when it is removed. */
  async receive(req: IncomingMessage, { workspace, person, perWorkspace }: Sender): Promise<UploadedFile> {
    const place = this.#arriving.take(workspace, person, perWorkspace)
    if (typeof place === 'string') throw noPlace(place)
    try {
      const giveBack = this.#reserve(workspace, bytesOf(req))
      try {
        this.#patience.give(req, limits.uploadMs, placeLimits.slowestBody)
        const kept = await keepUpload(this.#folder, readFile(req))
        const remove = () => kept.remove().finally(giveBack)
        return { ...kept, remove }
      } catch (error) {
        giveBack()
        throw error
      }
    } finally {
      place()
    }
  }

  /** Reserves room, and returns a function that gives it back. */
  #reserve(workspace: string, bytes: number): () => void {
    const own = this.#bytes.get(workspace) ?? 0
    const { ofWorkspace, all } = placeLimits.spoolBytes
    if (own + bytes > ofWorkspace) throw noPlace('group')
    if (own + bytes > all - this.#allBytes) throw noPlace('all')
    this.#add(workspace, bytes)
    let isBack = false
    return () => {
      if (!isBack) this.#add(workspace, -bytes)
      isBack = true
    }
  }

  #add(workspace: string, bytes: number): void {
    const own = (this.#bytes.get(workspace) ?? 0) + bytes
    if (own === 0) this.#bytes.delete(workspace)
    else this.#bytes.set(workspace, own)
    this.#allBytes += bytes
  }
}

/** Bytes by the request's own header; without it, the most a file may have. */
function bytesOf({ headers }: IncomingMessage): number {
  const length = Number.parseInt(headers['content-length'] ?? '', 10)
  return Number.isNaN(length) ? limits.upload.wireBytes : Math.min(length, limits.upload.wireBytes)
}

/** Seconds to wait: a file takes a moment. */
export const comeAgainSeconds = 5

const refusals: Readonly<Record<NoPlace, readonly [RefusalKind, string]>> = {
  person: [
    'conflict',
    'you are sending as many files as one person may at the same time; try again when one has arrived',
  ],
  group: ['conflict', 'this workspace is sending as many files as it may at the same time; try again when one is done'],
  all: ['unavailable', 'many files are being received; try again in a moment'],
}

function noPlace(why: NoPlace): Refusal {
  const [kind, message] = refusals[why]
  return new Refusal(kind, message, comeAgainSeconds)
}
