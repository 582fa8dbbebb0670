import {
  isWorkflowTool,
  statusTool,
  type AgentReply,
  type HeldCall,
  type ToolOutcomeCount,
} from '@gatehouse/contract/gateway'
import type { AgentRequest } from '../exchange/agent-request.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { passedField } from '../policy/answer-headers.ts'
import type { AgentMessage } from './read-message.ts'
import { failed } from './tool-result.ts'

/**
 * Whether the control plane is asked for this agent: runs of workflows are of the user of a personal token, and of
 * no API.
 */
export const hasWorkflows = ({ api, caller }: AgentRequest): boolean =>
  api === null && caller.tokenId !== null

/** Whether the name may be one of its workflows, or asks for a run of it: the control plane knows. */
export const isWorkflowOf = (agent: AgentRequest, name: unknown): name is string =>
  typeof name === 'string' &&
  isWorkflowTool(name) &&
  (hasWorkflows(agent) || (name === statusTool && agent.caller.tokenId !== null))

interface Asked {
  /** Null: which tools there are. */
  tool: string | null
  message: string
  /** See `AgentQuestion`. */
  held?: HeldCall
}

/** Asks, and has the exchange resumed once there is a reply. False: too many wait already. */
export function askControl(exchange: Exchange, agent: AgentRequest, asked: Asked): boolean {
  const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(agent.authorization ?? '')?.[1] ?? ''
  const question = {
    token,
    address: exchange.clientAddress,
    agent: agent.clientName.slice(0, 100),
    requestId: exchange.requestId,
    traceparent: passedField(exchange, 'traceparent') ?? null,
    ...asked,
  }
  return exchange.gateway.controlQuestions.ask(question, (reply) => {
    agent.reply = reply ?? 'none'
    exchange.resume()
  })
}

type Result = Extract<AgentReply, { what: 'result' }>

/** For the figures: the control plane knows the tool, so that no client can make up names to be kept. */
export function noteRun(
  agent: AgentRequest,
  { params: { name } }: AgentMessage,
  reply: Result,
): void {
  if (typeof name === 'string') agent.toolName = name
  agent.outcome = name === statusTool ? 'done' : outcomeOf(reply)
}

const outcomeOf = ({ structured, isError, isWaiting }: Result): ToolOutcomeCount => {
  // Without a run, nothing was stored.
  if (isError) return structured === null ? 'refused' : 'failed'
  return isWaiting ? 'waiting' : 'done'
}

/** The fields of the result of a workflow's tool, as JSON without the braces. `none`: no answer came. */
export function workflowResult(reply: Result | 'none', lost = lostWords): string {
  if (reply === 'none') return failed([lost])
  const { texts, structured, isError } = reply
  const content = texts.map((text) => JSON.stringify({ type: 'text', text }))
  const more = `${structured === null ? '' : `,"structuredContent":${structured}`}${isError ? ',"isError":true' : ''}`
  return `"content":[${content.join()}]${more}`
}

/** The same key is the same run, whatever became of the first call. */
const lostWords =
  'The answer was lost. The run may have been stored, and is carried out then. Do not call this with another idempotency_key: ask with run_status and this key, or call it again with the same key and input, which is the same run.'

/** The same call that waits already is the same run. */
const lostCallWords =
  'Nothing of this call was sent. It is not known whether it was stored to wait for its release: Gatehouse did not answer. Call it again: a call that waits already is not stored twice.'

/** The same of a call that a person has to release. */
export const heldResult = (reply: AgentReply | 'none'): string =>
  workflowResult(reply !== 'none' && reply.what === 'result' ? reply : 'none', lostCallWords)
