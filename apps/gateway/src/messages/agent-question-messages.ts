import type { AgentQuestion, AgentReply } from '@gatehouse/contract/gateway'

/** An agent asks what only the control plane knows. */
export interface AgentAskedMessage {
  type: 'agent-asked'
  id: string
  question: AgentQuestion
}

export interface AgentAnswerMessage {
  type: 'agent-answer'
  id: string
  /** Null: there is no control plane, or it ended before it answered. */
  reply: AgentReply | null
}
