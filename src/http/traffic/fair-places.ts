// Places for work under way, shared out among groups (workspaces) and the people in them. A group may take no more than are still
// free, so that however many are busy, a newcomer finds a place; and never more than its own bound.

interface FairPlacesOptions {
  readonly atOnce: number
  readonly perGroup: number
  /** Most places of one person in a group. */
  readonly perPerson: number
}

/** Owner of the reached bound; `all` where the others have left too few. */
export type NoPlace = 'person' | 'group' | 'all'

/** Called once the work is done; further calls do nothing. */
export type LeavePlace = () => void

export class FairPlaces {
  readonly #options: FairPlacesOptions
  readonly #groups = new Map<string, number>()
  readonly #people = new Map<string, number>()
  #taken = 0

  constructor(options: FairPlacesOptions) {
    this.#options = options
  }

  get taken(): number {
    return this.#taken
  }

  /** `perGroup`: the group's own bound, if it has one. */
  take(group: string, person: string, perGroup: number = this.#options.perGroup): LeavePlace | NoPlace {
    const { atOnce, perPerson } = this.#options
    const name = `${group} ${person}`
    const ofGroup = this.#groups.get(group) ?? 0
    const ofPerson = this.#people.get(name) ?? 0
    if (ofPerson >= perPerson) return 'person'
    if (ofGroup >= perGroup) return 'group'
    if (ofGroup >= atOnce - this.#taken) return 'all'
    this.#taken++
    this.#groups.set(group, ofGroup + 1)
    this.#people.set(name, ofPerson + 1)
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      this.#taken--
      countDown(this.#groups, group)
      countDown(this.#people, name)
    }
  }
}

function countDown(counts: Map<string, number>, name: string): void {
  const left = counts.get(name)! - 1
  if (left === 0) counts.delete(name)
  else counts.set(name, left)
}
