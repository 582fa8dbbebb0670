import type { WorkflowDefinition } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Actor } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction } from '../../../stores.ts'

interface CallbackTesterOptions {
  inTransaction: InTransaction
  clock: Clock
  /** Called when something is in the outbox. */
  wake: () => void
}

/** Sends test messages to callbacks. */
export class CallbackTester {
  readonly #options: CallbackTesterOptions

  constructor(options: CallbackTesterOptions) {
    this.#options = options
  }

  /** Leaves a test message in the outbox. Throws 409 where the workflow has no callback. */
  async send(workflowId: number, actor: Actor): Promise<{ delivery_id: number }> {
    const { inTransaction, clock, wake } = this.#options
    const id = await inTransaction(async ({ workflows, deliveries, audit }) => {
      const row = await workflows.find(workflowId)
      if (!row) throw new AppError('workflow.not_found')
      await workflows.refuseUnreached(workflowId, actor.caller)
      const { callback } = JSON.parse(row.definition) as WorkflowDefinition
      if (!callback) throw new AppError('workflow.no_callback')
      const timestamp = clock.now().toISOString()
      const { slug, version, name } = row
      await audit.record(actor, {
        action: 'workflow.test_callback',
        thing: 'workflow',
        id: workflowId,
        name,
        after: { url: callback.url },
      })
      return deliveries.insert({
        kind: 'test',
        channel: 'webhook',
        subject: 'test',
        target: { url: callback.url, secret: { of: 'workflow', id: workflowId } },
        payload: JSON.stringify({ type: 'test', timestamp, data: { workflow: { slug, version } } }),
        workflowId,
      })
    }, actor.caller)
    wake()
    return { delivery_id: id }
  }
}
