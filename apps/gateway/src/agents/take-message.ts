import type { WorkflowTool } from '@gatehouse/contract/gateway'
import { holdBody } from '../calls/hold-body.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { passedField } from '../policy/answer-headers.ts'
import { readJson } from '../schemas/read-json.ts'
import { isJsonType } from '../validation/check-request.ts'
import type { AgentRequest } from '../exchange/agent-request.ts'
import { answer, endOf, inASecond, mayAsk, refuse, refuseUnknown } from './answer-message.ts'
import { callTool } from './call-tool.ts'
import { answerRequest, modernFields, notKept, serverField } from './answer-request.ts'
import { errorText, modernRevision, resultText, rpcCodes } from './protocol.ts'
import { readMessage, type AgentMessage } from './read-message.ts'
import { fetchAnswer, notFound, readFields } from './read-resource.ts'
import { askControl, hasWorkflows, noteRun, workflowResult } from './ask-control.ts'

/**
 * Reads the message of an agent, once its body is here, and answers it. A call of a tool becomes the request that the
 * tool stands for: `next` says that the exchange is that request from now on, which the stages treat like any other.
 */
export function takeMessage(exchange: Exchange, agent: AgentRequest): Verdict {
  if (exchange.heldBody === null) {
    if (!isJsonType(passedField(exchange, 'content-type') ?? ''))
      return exchange.refuse('client.not_json', { message: 'Send JSON: application/json.' })
    const waiting = holdBody(exchange)
    if (waiting !== 'next') return waiting
  }
  const text = exchange.heldBody ?? Buffer.alloc(0)
  const json = readJson(text)
  if (!json.ok) {
    const error = { code: rpcCodes.parse, message: json.message }
    return answer(exchange, agent, 400, errorText(null, error))
  }
  const message = readMessage(json.value, {
    version: passedField(exchange, 'mcp-protocol-version'),
    method: passedField(exchange, 'mcp-method'),
    name: passedField(exchange, 'mcp-name'),
  })
  if (message.kind === 'notification') return answer(exchange, agent, 202, '')
  if (message.kind === 'refused')
    return answer(exchange, agent, message.status, errorText(message.id, message.error))
  agent.clientName = message.clientName || (passedField(exchange, 'user-agent') ?? '')
  if (agent.reply !== null) return takeReply(exchange, agent, message)
  if (message.method === 'resources/read') return readAnswer(exchange, agent, message)
  if (message.method === 'tools/call') return callTool(exchange, agent, message, text)
  const isModern = message.revision === modernRevision
  if (message.method === 'subscriptions/listen' && isModern) return listen(exchange, agent, message)
  if (message.method === 'tools/list') {
    if (!mayAsk(exchange, agent)) return exchange.refuse('client.rate_limited', inASecond)
    const isAsked = hasWorkflows(agent) && askControl(exchange, agent, { tool: null, message: '' })
    if (isAsked) return 'wait'
  }
  return answerWithout(exchange, agent, message)
}

/** An answer that a tool of this caller has left. */
function readAnswer(exchange: Exchange, agent: AgentRequest, message: AgentMessage): Verdict {
  const { fetched } = agent
  if (fetched === null) {
    if (!mayAsk(exchange, agent)) return exchange.refuse('client.rate_limited', inASecond)
    if (fetchAnswer(exchange, agent, message)) return 'wait'
  }
  if (fetched === null || fetched === 'none')
    return refuse(exchange, agent, message, notFound(message))
  const end = message.revision === modernRevision ? `,${notKept},${modernFields()}` : ''
  const result = `{${readFields(message, fetched)}${end}}`
  return answer(exchange, agent, 200, resultText(message.id, result))
}

/** Opens the stream on which the agent is told that its tools have changed. */
function listen(exchange: Exchange, agent: AgentRequest, message: AgentMessage): Verdict {
  const { notifications } = message.params
  if (typeof notifications !== 'object' || notifications === null) {
    const words = 'The notifications must be an object.'
    return refuse(exchange, agent, message, { code: rpcCodes.invalidParams, message: words })
  }
  const isOfTools = 'toolsListChanged' in notifications && notifications.toolsListChanged === true
  const opening = { id: message.id, isOfTools, endFields: serverField() }
  const isOpen = exchange.gateway.toolStreams.open(exchange, agent, opening)
  return isOpen ? 'stop' : exchange.refuse('client.rate_limited', inAMinute)
}

/** A request that calls no tool. `workflows`: tools beside those of endpoints. */
function answerWithout(
  exchange: Exchange,
  agent: AgentRequest,
  message: AgentMessage,
  workflows: readonly WorkflowTool[] = [],
): Verdict {
  const result = answerRequest(exchange, agent, message, workflows)
  return typeof result === 'string'
    ? answer(exchange, agent, 200, resultText(message.id, result))
    : refuse(exchange, agent, message, result)
}

const inAMinute = { headers: ['Retry-After', '60'] }

/** The control plane has answered, or has not. */
function takeReply(exchange: Exchange, agent: AgentRequest, message: AgentMessage): Verdict {
  const { reply } = agent
  if (message.method === 'tools/list') {
    const isList = reply !== 'none' && reply?.what === 'tools'
    return answerWithout(exchange, agent, message, isList ? reply.tools : [])
  }
  const isResult = reply !== 'none' && reply?.what === 'result'
  if (!isResult && reply !== 'none') return refuseUnknown(exchange, agent, message)
  if (isResult) noteRun(agent, message, reply)
  const result = `{${workflowResult(isResult ? reply : 'none')}${endOf(message)}}`
  return answer(exchange, agent, 200, resultText(message.id, result))
}
