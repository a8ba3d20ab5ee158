// What has changed in lists since they were read: subjects one by one, or, if so much was added at once that there were
// no single notifications, everything in a scope after a position in its sequence. It is there before the lists are read
// and stays with them, so that nothing falls in between.

export class Stale {
  /** Ids of series and agreements. */
  readonly subjects = new Set<string>()
  /** By scope: all that was added after this number. */
  readonly after = new Map<string, number>()

  get isEmpty(): boolean {
    return this.subjects.size === 0 && this.after.size === 0
  }

  add(subject: string): void {
    this.subjects.add(subject)
  }

  addAfter(scope: string, seq: number): void {
    const known = this.after.get(scope)
    if (known === undefined || seq < known) this.after.set(scope, seq)
  }

  addAll(other: Stale): void {
    for (const subject of other.subjects) this.add(subject)
    for (const [scope, seq] of other.after) this.addAfter(scope, seq)
  }

  /** All of it, to be read now. */
  take(): Stale {
    const taken = new Stale()
    taken.addAll(this)
    this.subjects.clear()
    this.after.clear()
    return taken
  }
}
