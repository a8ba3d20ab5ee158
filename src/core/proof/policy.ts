// A file of C2SP `tlog-policy`: the trusted logs and witnesses, and the number of witnesses that must have signed a checkpoint.
// The file also tells a server which witnesses to ask.
import { Refusal } from '../refusal.ts'
import { type NoteKey, readNoteKey } from './note-key.ts'

interface PolicyLog {
  readonly key: NoteKey
  readonly url: string | null
}

export interface PolicyWitness extends PolicyLog {
  /** Within the file alone. */
  readonly name: string
}

interface PolicyGroup {
  /** The number of members that is enough. */
  readonly enough: number
  readonly members: readonly string[]
}

export interface Policy {
  readonly logs: readonly PolicyLog[]
  readonly witnesses: readonly PolicyWitness[]
  readonly groups: ReadonlyMap<string, PolicyGroup>
  /** The witness or group that must have signed; null: none has to. */
  readonly quorum: string | null
}

/** The specification asks for 32 of each. */
const most = { length: 1_000_000, lines: 1000 }

export function readPolicy(text: string): Policy {
  const lines = text.split('\n')
  if (text.length > most.length || lines.length > most.lines)
    throw new Refusal('too-large', `a policy has at most ${most.lines} lines`)
  const reader = new PolicyReader()
  for (const [at, line] of lines.entries()) {
    const words = line.split(/[ \t]+/).filter(word => word !== '')
    if (words.length === 0 || words[0]!.startsWith('#')) continue
    try {
      if (/[^\P{Cc}\t\u007f-\u009f]/u.test(line)) throw new Refusal('invalid', 'it has a control character')
      reader.readLine(words)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw new Refusal('invalid', `line ${at + 1} of the policy: ${error.message}`)
    }
  }
  return reader.end()
}

class PolicyReader {
  readonly #logs: PolicyLog[] = []
  readonly #witnesses: PolicyWitness[] = []
  readonly #groups = new Map<string, PolicyGroup>()
  /** Members of groups: each witness and group can count once. */
  readonly #members = new Set<string>()
  #quorum: string | undefined

  readLine([word, ...rest]: readonly string[]) {
    if (word === 'log' && isBetween(rest.length, 1, 2)) this.#addKey(this.#logs, rest)
    else if (word === 'witness' && isBetween(rest.length, 2, 3)) this.#addWitness(rest)
    else if (word === 'group' && rest.length >= 3) this.#addGroup(rest)
    else if (word === 'quorum' && rest.length === 1) this.#setQuorum(rest[0]!)
    else throw new Refusal('invalid', 'it must be log, witness, group or quorum with what belongs to it')
  }

  end(): Policy {
    if (this.#quorum === undefined) throw new Refusal('invalid', 'a policy has a line "quorum", such as "quorum none"')
    const quorum = this.#quorum === 'none' ? null : this.#quorum
    return { logs: this.#logs, witnesses: this.#witnesses, groups: this.#groups, quorum }
  }

  #addKey(list: PolicyLog[], [text, url]: readonly string[]) {
    const key = readNoteKey(text!)
    const isKnown = list.some(({ key: { publicKey } }) => publicKey.join() === key.publicKey.join())
    if (isKnown) throw new Refusal('invalid', `the key of ${key.name} stands here already`)
    list.push({ key, url: url ?? null })
  }

  #addWitness([name, text, url]: readonly string[]) {
    this.#checkNew(name!)
    const key = readNoteKey(text!)
    if (key.kind === 'ed25519') throw new Refusal('invalid', `the key of ${name} is not one of a witness`)
    const found: PolicyLog[] = [...this.#witnesses]
    this.#addKey(found, url === undefined ? [text!] : [text!, url])
    this.#witnesses.push({ name: name!, key, url: url ?? null })
  }

  #addGroup([name, count, ...members]: readonly string[]) {
    this.#checkNew(name!)
    for (const member of members) {
      this.#checkKnown(member)
      if (this.#members.has(member)) throw new Refusal('invalid', `${member} is in a group already`)
      this.#members.add(member)
    }
    const words: Readonly<Record<string, number>> = { all: members.length, any: 1 }
    const enough = words[count!] ?? (/^[1-9][0-9]{0,3}$/.test(count!) ? Number.parseInt(count!, 10) : 0)
    if (!isBetween(enough, 1, members.length))
      throw new Refusal('invalid', `${name} needs all, any, or 1 to ${members.length} of its members, got "${count}"`)
    this.#groups.set(name!, { enough, members })
  }

  #setQuorum(name: string) {
    if (this.#quorum !== undefined) throw new Refusal('invalid', 'there is a quorum already')
    if (name !== 'none') this.#checkKnown(name)
    this.#quorum = name
  }

  #isKnown(name: string): boolean {
    return this.#groups.has(name) || this.#witnesses.some(witness => witness.name === name)
  }

  #checkKnown(name: string) {
    if (!this.#isKnown(name)) throw new Refusal('invalid', `no line before it names a witness or group "${name}"`)
  }

  #checkNew(name: string) {
    if (name === 'none' || this.#isKnown(name)) throw new Refusal('invalid', `the name "${name}" is taken`)
  }
}

function isBetween(number: number, from: number, to: number): boolean {
  return number >= from && number <= to
}

/** Whether these witnesses, by their names in the policy, are enough. */
export function isQuorum({ groups, quorum }: Policy, signed: ReadonlySet<string>): boolean {
  const hasSigned = (name: string): boolean => {
    const group = groups.get(name)
    return group === undefined ? signed.has(name) : group.members.filter(hasSigned).length >= group.enough
  }
  return quorum === null || hasSigned(quorum)
}
