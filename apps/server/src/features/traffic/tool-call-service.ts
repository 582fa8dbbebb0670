import {
  toolCallDays,
  toolCallsShown,
  type ToolCalls,
  type listToolCalls,
} from '@gatehouse/contract'
import type { z } from 'zod'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import { bucketsOf } from './bucket-rows.ts'
import { percentile } from './traffic-counts.ts'

interface ToolCallServiceOptions {
  inTransaction: InTransaction
  clock: Clock
  /** Users whose tokens the caller sees; undefined: all. */
  visibleOwners: (caller: Caller) => readonly number[] | undefined
}

const dayMs = 86_400_000

/** Which personal tokens called which tools of agents. */
export class ToolCallService {
  readonly #options: ToolCallServiceOptions

  constructor(options: ToolCallServiceOptions) {
    this.#options = options
  }

  /** Today and the days before it, those with the most calls first. */
  async list(
    { api_id: apiId, token_id: tokenId }: z.output<typeof listToolCalls.query>,
    caller: Caller,
  ): Promise<ToolCalls[]> {
    const { inTransaction, clock, visibleOwners } = this.#options
    const since = new Date(clock.now().getTime() - (toolCallDays - 1) * dayMs)
    const rows = await inTransaction(({ toolUsage }) =>
      toolUsage.list({
        since: since.toISOString().slice(0, 10),
        apiId,
        tokenId,
        owners: visibleOwners(caller),
        limit: toolCallsShown,
      }),
    )
    return rows.map((row) => ({
      token_id: row.token_id,
      token_name: row.token_name,
      user_name: row.user_name,
      tool: row.tool,
      calls: row.calls,
      refused: row.refused,
      failed: row.failed,
      waiting: row.waiting,
      p95: percentile(bucketsOf(row), 0.95),
    }))
  }
}
