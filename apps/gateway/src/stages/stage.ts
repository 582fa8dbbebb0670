import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'

/** One step of the way that each request takes. */
export interface Stage {
  /** As traces show it. */
  readonly name: string
  run(exchange: Exchange): Verdict
  /** What a trace shows of the stage once `run` has returned. */
  traceDetails(exchange: Exchange): Record<string, unknown>
  /** Its work goes on after `stop`: it adds itself to the trace when it has ended. */
  readonly isTracedAtEnd?: boolean
}
