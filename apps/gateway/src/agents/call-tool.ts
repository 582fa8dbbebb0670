import type { AgentRequest } from '../exchange/agent-request.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { readRequestPath } from '../http/request-path.ts'
import { passedField } from '../policy/answer-headers.ts'
import type { EndpointTool } from '../snapshot/compile-snapshot.ts'
import {
  answerError,
  endOf,
  inASecond,
  jsonFields,
  mayAsk,
  refuse,
  refuseUnknown,
} from './answer-message.ts'
import { askControl, heldResult, isWorkflowOf } from './ask-control.ts'
import { countUse } from '../policy/count-use.ts'
import { agentKey, mayUse } from './may-use.ts'
import { resultText, rpcCodes } from './protocol.ts'
import type { AgentMessage } from './read-message.ts'
import { uriOf } from './read-resource.ts'
import { ToolAnswer } from './tool-answer.ts'
import { toToolCall, type ToolCall } from './tool-call.ts'
import { resultFields, type KeepAnswer } from './tool-result.ts'

/** Makes the exchange the request that a tool stands for, or answers why nothing is called. */
export function callTool(
  exchange: Exchange,
  agent: AgentRequest,
  message: AgentMessage,
  text: Buffer,
): Verdict {
  const { name, arguments: given = {} } = message.params
  const tool = typeof name === 'string' ? exchange.snapshot.parts.tools.find(name) : undefined
  if (tool === undefined && isWorkflowOf(agent, name)) {
    if (!mayAsk(exchange, agent)) return exchange.refuse('client.rate_limited', inASecond)
    if (countUse(exchange) === 'stop') return 'stop'
    if (askControl(exchange, agent, { tool: name, message: text.toString('utf8') })) return 'wait'
    return exchange.refuse('gateway.busy', inASecond)
  }
  if (tool === undefined || !mayUse(agent, tool)) return refuseUnknown(exchange, agent, message)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const error = { code: rpcCodes.invalidParams, message: 'The arguments must be an object.' }
    return refuse(exchange, agent, message, error)
  }
  agent.toolName = tool.name
  const unheld = tool.config.needs_release ? unheldWords(agent, tool) : undefined
  if (unheld !== undefined) return answerRefused(exchange, agent, message, unheld)
  const { check } = tool
  if (typeof check === 'string') {
    exchange.detail = `The schema of the tool ${tool.name} can't be used: ${check}`
    return answerRefused(exchange, agent, message, unusableWords)
  }
  const made = toToolCall(tool, check, given as Record<string, unknown>, text.toString('utf8'))
  if (!made.ok) {
    const places = Object.entries(made.places).map(([place, all]) => `${place}: ${all.join(' ')}`)
    const words = ['Nothing was called: the arguments do not fit.', ...places].join('\n')
    return answerRefused(exchange, agent, message, words)
  }
  agent.tool = tool
  becomeCall(exchange, tool, made.call)
  exchange.res = new ToolAnswer(exchange, answerWith(exchange, agent, tool, message))
  return 'next'
}

/** A tool error before anything is called. */
function answerRefused(...[exchange, agent, ...words]: Parameters<typeof answerError>): Verdict {
  agent.outcome = 'refused'
  return answerError(exchange, agent, ...words)
}

/** Why the call can't wait for its release; undefined: it can. */
function unheldWords({ caller: { tokenId } }: AgentRequest, { endpoint }: EndpointTool) {
  if (tokenId === null)
    return 'Nothing was called: a person has to release each call, and only calls by a personal token can wait for that.'
  return endpoint.draft?.api.draftTokens?.has(tokenId)
    ? 'Nothing was called: a person has to release each call, and this token reaches a draft, whose calls can’t wait for that.'
    : undefined
}

const unusableWords =
  'Nothing was called: the schema of this tool can’t be used. An administrator has to change it.'

/** From here on the exchange is the request that the tool stands for. */
function becomeCall(exchange: Exchange, { endpoint }: EndpointTool, call: ToolCall): void {
  const { path, query, headers, body } = call
  const read = readRequestPath(path)
  const agentName = passedField(exchange, 'user-agent')
  const context = traceFieldsOf(exchange.passed)
  exchange.method = endpoint.method
  exchange.path = path
  exchange.query = query
  exchange.segments = read.ok ? read.segments : null
  exchange.passed = [
    ...(agentName === undefined ? [] : ['User-Agent', agentName]),
    ...context,
    ...headers,
  ]
  exchange.heldBody = body
  exchange.hasBody = body !== null
  exchange.contentLength = body?.length ?? -1
}

/** W3C Trace Context goes on. */
function traceFieldsOf(passed: readonly string[]): string[] {
  const fields: string[] = []
  for (let at = 0; at < passed.length; at += 2) {
    const name = passed[at] ?? ''
    if (/^trace(?:parent|state)$/i.test(name)) fields.push(name, passed[at + 1] ?? '')
  }
  return fields
}

/** Writes the result of the call to the client. */
function answerWith(
  exchange: Exchange,
  agent: AgentRequest,
  tool: EndpointTool,
  message: AgentMessage,
) {
  const { res, gateway } = exchange
  const keep: KeepAnswer = (mimeType, body) =>
    uriOf(
      gateway.answerKeeper.keep({
        owner: agentKey(agent),
        mimeType,
        data: body.toString('base64'),
      }),
    )
  return (outcome: Parameters<typeof resultFields>[1]): void => {
    const said =
      agent.reply === null
        ? resultFields(tool.config, outcome, askingTool(exchange, agent, tool), keep)
        : heldResult(agent.reply)
    const result = `{${said}${endOf(message)}}`
    const body = Buffer.from(resultText(message.id, result))
    const fields = [...jsonFields, ...agent.corsFields, 'X-Request-Id', exchange.requestId]
    if (exchange.isConnectionLost) fields.push('Connection', 'close')
    res.writeHead(200, [...fields, 'Content-Length', String(body.length)])
    res.end(body)
  }
}

/** The tool that says what became of a call, where the caller may use it. */
function askingTool({ snapshot }: Exchange, agent: AgentRequest, { config }: EndpointTool) {
  const { tools, endpoints } = snapshot.parts
  const asked = config.asked_by === null ? undefined : endpoints.get(config.asked_by)
  const tool = asked?.config.tool ? tools.find(asked.config.tool.name) : undefined
  return tool !== undefined && mayUse(agent, tool) ? tool.name : undefined
}
