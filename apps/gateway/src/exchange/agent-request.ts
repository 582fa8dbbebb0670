import type { AgentReply, ToolOutcomeCount } from '@gatehouse/contract/gateway'
import type { KeptAnswer } from '../messages/kept-answer-messages.ts'
import type { Caller } from '../callers/caller.ts'
import type { CompiledApi, EndpointTool } from '../snapshot/compile-snapshot.ts'

/** A request of an agent: a message of the Model Context Protocol. */
export interface AgentRequest {
  /** The API whose tools it is about; null: all. */
  readonly api: CompiledApi | null
  readonly caller: Caller
  /** What the caller has shown: a stage of the call takes it out of the exchange. */
  readonly authorization: string | null
  /** Whether its client is in an internal network. */
  readonly isInternal: boolean
  readonly clientAddress: string
  /** What a browser needs with the answer. Name, value, name, value. */
  readonly corsFields: readonly string[]
  /** What the client calls itself, for the log. */
  clientName: string
  /** What the control plane has answered; null: it was not asked, `none`: no answer came. */
  reply: AgentReply | 'none' | null
  /** The answer that is fetched; null: none was asked for, `none`: there is no such answer. */
  fetched: KeptAnswer | 'none' | null
  /** The tool that is called; null until that is known. */
  tool: EndpointTool | null
  /** The name of a tool that the caller may use, for the figures; null until one is called. */
  toolName: string | null
  /** What became of the call, where the status of the exchange does not say it. */
  outcome: ToolOutcomeCount | null
}
