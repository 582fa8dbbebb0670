import type { ProcedureAnswered } from '@gatehouse/upstream'
import type { ProcedureSeenMessage } from '../messages/worker-messages.ts'

/** Reports the shape of a stored procedure's answer when it differs from the last one. */
export class SeenProcedures {
  readonly #last = new Map<number, string>()
  readonly #report: (seen: ProcedureSeenMessage) => void

  constructor(report: (seen: ProcedureSeenMessage) => void) {
    this.#report = report
  }

  note(apiId: number, { signature, columns }: ProcedureAnswered): void {
    const text = JSON.stringify([signature, columns])
    if (this.#last.get(apiId) === text) return
    this.#last.set(apiId, text)
    this.#report({ type: 'procedure-seen', api_id: apiId, signature, columns })
  }
}
