// A console for tests of files that people upload: its folder, and what the last line of an answer says.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SeriesRow, UploadLine, UploadLook, UploadResult } from '../../../src/views/shapes/series.ts'
import { linesOf, makeSeats, openConsole, type Seats, type TestConsole } from './console.ts'

export class UploadHouse {
  readonly folder: string
  readonly console: TestConsole
  readonly seats: Seats

  private constructor(folder: string, console: TestConsole, seats: Seats) {
    this.folder = folder
    this.console = console
    this.seats = seats
  }

  /** For `beforeAll`. */
  static async open(): Promise<UploadHouse> {
    const folder = await mkdtemp(join(tmpdir(), 'assize-upload-'))
    const console = await openConsole({ env: { ASSIZE_DATA: folder } })
    return new UploadHouse(folder, console, await makeSeats(console.api))
  }

  async close(): Promise<void> {
    await this.console.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  send(file: string, content: string | Buffer, mode = 'import', more = '') {
    const at = `/series/upload?file=${encodeURIComponent(file)}&mode=${mode}${more}`
    return this.seats.as.editor.upload(at, content)
  }

  /** How reading a file ended. */
  async last(file: string, content: string | Buffer, mode: string, more = ''): Promise<UploadLine> {
    const reply = await this.send(file, content, mode, more)
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`)
    return linesOf<UploadLine>(reply).at(-1)!
  }

  async result(file: string, content: string | Buffer, mode = 'import', more = ''): Promise<UploadResult> {
    const line = await this.last(file, content, mode, more)
    if (line.stage !== 'done') throw new Error(`the last line is ${JSON.stringify(line)}`)
    return line
  }

  async look(file: string, content: string | Buffer, mode: string, more = ''): Promise<UploadLook> {
    const line = await this.last(file, content, mode, more)
    if (line.stage !== 'look') throw new Error(`the last line is ${JSON.stringify(line)}`)
    return line
  }

  rows(): Promise<readonly SeriesRow[]> {
    return this.seats.as.viewer.json<readonly SeriesRow[]>('/series')
  }

  async row(code: string): Promise<SeriesRow | undefined> {
    return (await this.rows()).find(each => each.code === code)
  }

  activities() {
    return this.console.api.owner<{ who: string; subject: string; from: string | null }[]>`
      select who, subject, from_address as from from activity
      where workspace_id = ${this.seats.tenant.id} and what = 'file imported' order by id`
  }

  /** The names of the files that are kept while they are read. */
  keptFiles(): Promise<string[]> {
    return readdir(join(this.folder, 'uploads'))
  }
}
