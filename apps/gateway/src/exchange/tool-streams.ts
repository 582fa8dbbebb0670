import type { ClientAnswer } from '../http/client-message.ts'
import type { CompiledSnapshot } from '../snapshot/compile-snapshot.ts'
import type { AgentRequest } from './agent-request.ts'

/** An exchange whose answer is a stream. */
export interface Streaming {
  readonly snapshot: CompiledSnapshot
  readonly res: Pick<ClientAnswer, 'write'>
  readonly startedAtMs: number
  readonly isEnded: boolean
  sendHead(status: number, headers: readonly string[]): void
  end(): void
}

export interface Opening {
  /** Of the message that asks for it. */
  id: string | number
  /** Whether it is about tools; else it ends at once. */
  isOfTools: boolean
  /** What names the product in `_meta`, as JSON without the braces. */
  endFields: string
}

/** The streams on which agents are told that their tools have changed, in one worker. */
export interface ToolStreams {
  /** Begins one, as the answer to a message. False: there are too many. */
  open(exchange: Streaming, agent: AgentRequest, opening: Opening): boolean
}
