import type { WorkflowTool } from '@gatehouse/contract/gateway'
import { holdBody } from '../calls/hold-body.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { readRequestPath } from '../http/request-path.ts'
import { passedField } from '../policy/answer-headers.ts'
import { readJson } from '../schemas/read-json.ts'
import { isJsonType } from '../validation/check-request.ts'
import type { AgentRequest } from '../exchange/agent-request.ts'
import { answerRequest, modernFields } from './answer-request.ts'
import type { EndpointTool } from '../snapshot/compile-snapshot.ts'
import { mayUse } from './may-use.ts'
import { errorText, modernRevision, resultText, rpcCodes, type RpcError } from './protocol.ts'
import { readMessage, type AgentMessage } from './read-message.ts'
import { ToolAnswer } from './tool-answer.ts'
import { toToolCall, type ToolCall } from './tool-call.ts'
import { failed, resultFields } from './tool-result.ts'
import {
  askControl,
  hasWorkflows,
  heldResult,
  isWorkflowOf,
  workflowResult,
} from './ask-control.ts'

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
  if (message.method === 'tools/call') return callTool(exchange, agent, message, text)
  if (message.method === 'tools/list') {
    if (!mayAsk(exchange, agent)) return exchange.refuse('client.rate_limited', inASecond)
    const isAsked = hasWorkflows(agent) && askControl(exchange, agent, { tool: null, message: '' })
    if (isAsked) return 'wait'
  }
  return answerWithout(exchange, agent, message)
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

const inASecond = { headers: ['Retry-After', '1'] }

/** The control plane has answered, or has not. */
function takeReply(exchange: Exchange, agent: AgentRequest, message: AgentMessage): Verdict {
  const { reply } = agent
  if (message.method === 'tools/list') {
    const isList = reply !== 'none' && reply?.what === 'tools'
    return answerWithout(exchange, agent, message, isList ? reply.tools : [])
  }
  const isResult = reply !== 'none' && reply?.what === 'result'
  if (!isResult && reply !== 'none') return refuseUnknown(exchange, agent, message)
  const result = `{${workflowResult(isResult ? reply : 'none')}${endOf(message)}}`
  return answer(exchange, agent, 200, resultText(message.id, result))
}

/** What costs more than a request, and no policy of an API counts: lists, and what the control plane is asked. */
const mayAsk = ({ gateway, startedAtMs }: Exchange, { caller }: AgentRequest): boolean =>
  gateway.toolLists.take(caller.quotaKey, startedAtMs)

/** The later revision says by the status that a method is unknown. */
function refuse(exchange: Exchange, agent: AgentRequest, message: AgentMessage, error: RpcError) {
  const isUnknown = error.code === rpcCodes.methodNotFound && message.revision === modernRevision
  return answer(exchange, agent, isUnknown ? 404 : 200, errorText(message.id, error))
}

function answer(
  exchange: Exchange,
  { corsFields }: AgentRequest,
  status: number,
  body: string,
): Verdict {
  exchange.answer(status, [...(body === '' ? [] : jsonFields), ...corsFields], body)
  return 'stop'
}

const jsonFields = [
  'Content-Type',
  'application/json',
  'X-Content-Type-Options',
  'nosniff',
  'Cache-Control',
  'no-store',
]

function callTool(
  exchange: Exchange,
  agent: AgentRequest,
  message: AgentMessage,
  text: Buffer,
): Verdict {
  const { name, arguments: given = {} } = message.params
  const tool = typeof name === 'string' ? exchange.snapshot.parts.tools.find(name) : undefined
  if (tool === undefined && isWorkflowOf(agent, name)) {
    if (!mayAsk(exchange, agent)) return exchange.refuse('client.rate_limited', inASecond)
    if (askControl(exchange, agent, { tool: name, message: text.toString('utf8') })) return 'wait'
    return exchange.refuse('gateway.busy', inASecond)
  }
  if (tool === undefined || !mayUse(agent, tool)) return refuseUnknown(exchange, agent, message)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const error = { code: rpcCodes.invalidParams, message: 'The arguments must be an object.' }
    return refuse(exchange, agent, message, error)
  }
  const unheld = tool.config.needs_release ? unheldWords(agent, tool) : undefined
  if (unheld !== undefined) return answerError(exchange, agent, message, unheld)
  const { check } = tool
  if (typeof check === 'string') {
    exchange.detail = `The schema of the tool ${tool.name} can't be used: ${check}`
    return answerError(exchange, agent, message, unusableWords)
  }
  const made = toToolCall(tool, check, given as Record<string, unknown>, text.toString('utf8'))
  if (!made.ok) {
    const places = Object.entries(made.places).map(([place, all]) => `${place}: ${all.join(' ')}`)
    const words = ['Nothing was called: the arguments do not fit.', ...places].join('\n')
    return answerError(exchange, agent, message, words)
  }
  agent.tool = tool
  becomeCall(exchange, tool, made.call)
  exchange.res = new ToolAnswer(exchange, answerWith(exchange, agent, tool, message))
  return 'next'
}

function refuseUnknown(exchange: Exchange, agent: AgentRequest, message: AgentMessage): Verdict {
  const { name } = message.params
  const shown = typeof name === 'string' ? name.slice(0, 100) : ''
  const error = { code: rpcCodes.invalidParams, message: `Unknown tool: ${shown}` }
  return refuse(exchange, agent, message, error)
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

/** A tool error, before anything was called. */
function answerError(
  exchange: Exchange,
  agent: AgentRequest,
  message: AgentMessage,
  words: string,
): Verdict {
  const result = `{${failed([words])}${endOf(message)}}`
  return answer(exchange, agent, 200, resultText(message.id, result))
}

const endOf = ({ revision }: AgentMessage) =>
  revision === modernRevision ? `,${modernFields()}` : ''

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
  const { res } = exchange
  return (outcome: Parameters<typeof resultFields>[1]): void => {
    const said =
      agent.reply === null
        ? resultFields(tool.config, outcome, askingTool(exchange, agent, tool))
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
