// Changes in lists since they were read: subjects one by one or, after too many entries for single notifications, everything in a
// scope after a position in its sequence. It exists before the lists are read and stays with them, so that nothing falls in
// between.

export class Stale {
  /** Ids of changed series and agreements. */
  readonly subjects = new Set<string>()
  /** By scope: every entry after this number. */
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

  /** Takes all changes, to be read now. */
  take(): Stale {
    const taken = new Stale()
    taken.addAll(this)
    this.subjects.clear()
    this.after.clear()
    return taken
  }
}
