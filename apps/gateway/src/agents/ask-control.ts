import { isWorkflowTool, type AgentReply } from '@gatehouse/contract/gateway'
import type { AgentRequest } from '../exchange/agent-request.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { passedField } from '../policy/answer-headers.ts'
import { failed } from './tool-result.ts'

/**
 * Whether the control plane is asked for this agent: runs of workflows are of the user of a personal token, and of
 * no API.
 */
export const hasWorkflows = ({ api, caller }: AgentRequest): boolean =>
  api === null && caller.tokenId !== null

/** Whether the name may be one of its workflows: the control plane knows. */
export const isWorkflowOf = (agent: AgentRequest, name: unknown): name is string =>
  typeof name === 'string' && isWorkflowTool(name) && hasWorkflows(agent)

interface Asked {
  /** Null: which tools there are. */
  tool: string | null
  message: string
}

/** Asks, and has the exchange resumed once there is a reply. False: too many wait already. */
export function askControl(exchange: Exchange, agent: AgentRequest, asked: Asked): boolean {
  const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(exchange.authorization ?? '')?.[1] ?? ''
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

/** The fields of the result of a workflow's tool, as JSON without the braces. */
export function workflowResult(reply: Extract<AgentReply, { what: 'result' }> | 'none'): string {
  if (reply === 'none') return failed([lostWords])
  const { texts, structured, isError } = reply
  const content = texts.map((text) => JSON.stringify({ type: 'text', text }))
  const more = `${structured === null ? '' : `,"structuredContent":${structured}`}${isError ? ',"isError":true' : ''}`
  return `"content":[${content.join()}]${more}`
}

/** The same key is the same run, whatever became of the first call. */
const lostWords =
  'The answer was lost. The run may have been stored, and is carried out then. Do not call this with another idempotency_key: ask with run_status and this key, or call it again with the same key and input, which is the same run.'
