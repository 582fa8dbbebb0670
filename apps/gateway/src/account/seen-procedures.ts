import type { ProcedureAnswered } from '@gatehouse/upstream'
import type { ProcedureSeenMessage } from '../messages/worker-messages.ts'

/** Passes on what a stored procedure came back with where it is not what was seen last. */
export class SeenProcedures {
  readonly #last = new Map<number, string>()
  readonly #tell: (seen: ProcedureSeenMessage) => void

  constructor(tell: (seen: ProcedureSeenMessage) => void) {
    this.#tell = tell
  }

  note(apiId: number, { signature, columns }: ProcedureAnswered): void {
    const text = JSON.stringify([signature, columns])
    if (this.#last.get(apiId) === text) return
    this.#last.set(apiId, text)
    this.#tell({ type: 'procedure-seen', api_id: apiId, signature, columns })
  }
}
