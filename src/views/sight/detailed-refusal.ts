// A refusal with details for a page: every fault of the request, or the proof the person has to present to continue.
import { Refusal, type RefusalKind } from '../../core/refusal.ts'
import type { Needs, ProblemView } from '../shapes/session.ts'

export class DetailedRefusal extends Refusal {
  readonly problems: readonly ProblemView[]
  readonly needs: Needs | null

  constructor(
    kind: RefusalKind,
    message: string,
    { problems = [], needs = null }: { readonly problems?: readonly ProblemView[]; readonly needs?: Needs | null },
  ) {
    super(kind, message)
    this.problems = problems
    this.needs = needs
  }
}
