import type { WorkflowDefinition, WorkflowRun } from '@gatehouse/contract'
import {
  runStatusTool,
  statusTool,
  type AgentQuestion,
  type AgentReply,
  type HeldCall,
} from '@gatehouse/contract/gateway'
import {
  isExactObject,
  ownValue,
  parseExact,
  stringifyExact,
  type ExactJson,
  type ExactObject,
} from '@gatehouse/contract/mapping'
import type { Logger } from 'pino'
import { AppError } from '../../../kernel/app-error.ts'
import type { Caller, TokenCall } from '../../../kernel/caller.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { Stores } from '../../../stores.ts'
import type { CallHolder } from '../../runs/release/call-holder.ts'
import type { CallViewer } from './call-viewer.ts'
import { storedLimits } from '../runs/stored-rules.ts'
import type { WorkflowRunCaller } from '../runs/workflow-run-caller.ts'
import type { WorkflowRunService } from '../runs/workflow-run-service.ts'
import { errorResult, runResult } from './agent-result.ts'
import { slugOfTool, toolOf, workflowTool } from './workflow-tool.ts'

interface AgentWorkflowsOptions {
  stores: Pick<Stores, 'workflowRuns'>
  caller: WorkflowRunCaller
  service: WorkflowRunService
  holder: CallHolder
  calls: CallViewer
  /** Who holds a personal token; undefined: it does not count. Throws a 403 where it was not made for this call. */
  holderOf: (token: string, call?: TokenCall) => Promise<Caller | undefined>
  log: Logger
}

const toolsMax = 500
const waitSeconds = 30

/** Answers agents that call workflows as tools: as the calls of a program with the same token are. */
export class AgentWorkflows {
  readonly #options: AgentWorkflowsOptions

  constructor(options: AgentWorkflowsOptions) {
    this.#options = options
  }

  async answer(question: AgentQuestion): Promise<AgentReply> {
    try {
      if (question.held) return await this.#hold(question, question.held)
      if (question.tool === null) return { what: 'tools', tools: await this.#tools(question) }
      const given = argumentsIn(question.message)
      if (question.tool === statusTool) return await this.#status(question, given)
      return await this.#start(question, slugOfTool(question.tool), given)
    } catch (error) {
      return this.#refusal(error, question)
    }
  }

  async #tools({ token, address }: AgentQuestion) {
    const { stores, holderOf } = this.#options
    const holder = await holderOf(token)
    if (!holder) return []
    const roleIds = holder.isSuperAdmin ? undefined : holder.user.roles.map(({ id }) => id)
    const rows = await stores.workflowRuns.listDescribed(roleIds, toolsMax)
    const tools = []
    for (const { slug, definition: text } of rows) {
      const definition = parseExact(text, storedLimits) as unknown as WorkflowDefinition
      if (definition.status !== 'active') continue
      if (!(await this.#isOpen(token, { method: 'POST', slug, address }))) continue
      tools.push(workflowTool({ slug, definition }))
    }
    return tools.length === 0 ? [] : [...tools, runStatusTool]
  }

  /** A token may be limited to some workflows. */
  async #isOpen(token: string, call: TokenCall): Promise<boolean> {
    try {
      return (await this.#options.holderOf(token, call)) !== undefined
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }

  async #start(question: AgentQuestion, slug: string, given: ExactObject): Promise<AgentReply> {
    const { holderOf, caller } = this.#options
    const { token, address, agent } = question
    // An underscore at a place where the slug has none.
    if (toolOf(slug) !== question.tool) return { what: 'unknown' }
    const holder = await holderOf(token, { method: 'POST', slug, address })
    if (!holder) return errorResult(endedWords)
    const key = ownValue(given, 'idempotency_key')
    const input = ownValue(given, 'input')
    const problems = [
      ...(typeof key === 'string' ? [] : ['/idempotency_key: This argument is required: a text.']),
      ...(input === undefined ? ['/input: This argument is required.'] : []),
      ...Object.keys(given)
        .filter((name) => name !== 'idempotency_key' && name !== 'input')
        .map((name) => `/${name}: There is no such argument.`),
    ]
    if (problems.length > 0 || typeof key !== 'string' || input === undefined)
      return errorResult('Nothing was started: the arguments do not fit.', ...problems)
    const context = contextOf(question, holder, key)
    const asked = { slug, inputText: stringifyExact(input), isTest: false, agent: { name: agent } }
    const { run } = await caller.call(asked, context)
    return runResult(run)
  }

  /** The gateway has decided that the token may make this call. */
  async #hold(question: AgentQuestion, held: HeldCall): Promise<AgentReply> {
    const { holderOf, holder, calls } = this.#options
    const caller = await holderOf(question.token)
    if (!caller) return errorResult(endedWords)
    const { agent, requestId, address, traceparent } = question
    const by = { caller, agent, requestId, address, traceparent: traceparent ?? undefined }
    return runResult(await calls.get(await holder.hold(held, by), caller.user.id))
  }

  async #status(question: AgentQuestion, given: ExactObject): Promise<AgentReply> {
    const { holderOf, service, stores, calls } = this.#options
    const { token, address } = question
    const holder = await holderOf(token)
    if (!holder) return errorResult(endedWords)
    const choice = statusChoice(given)
    if (choice === undefined) return errorResult('Name one of id, idempotency_key and reference.')
    const call = await calls.find(choice, holder.user.id)
    if (call) return runResult(call)
    const found = await stores.workflowRuns.findOwn(holder.user.id, choice)
    const isOpen =
      found && (await this.#isOpen(token, { method: 'GET', slug: found.slug, address }))
    if (!found || !isOpen)
      return errorResult(
        'There is no such run of this user. Nothing was stored by this key or reference.',
      )
    return runResult(await service.show(found, true, holder))
  }

  #refusal(error: unknown, { tool, held, requestId }: AgentQuestion): AgentReply {
    if (!(error instanceof AppError)) {
      this.#options.log.error({ err: error, tool, request_id: requestId }, 'an agent got no answer')
      throw error
    }
    const { code, message, details } = error
    if (code === 'workflow.not_found' || code === 'token.scope') return { what: 'unknown' }
    if (isRun(details.extra?.['run'])) return runResult(details.extra['run'])
    const places = Object.entries(details.fields ?? {}).map(
      ([place, all]) => `${place}: ${all.join(' ')}`,
    )
    const again = details.retryAfterSeconds
    const later = again === undefined ? [] : [`Try again after ${Math.ceil(again)} s.`]
    const begin = held ? 'Nothing was called.' : 'Nothing was started.'
    return errorResult(`${begin} ${message}`, ...places, ...later)
  }
}

const endedWords = 'The token of this agent does not count any more.'

const isRun = (value: unknown): value is WorkflowRun =>
  typeof value === 'object' && value !== null && 'state' in value && 'steps' in value

function argumentsIn(message: string): ExactObject {
  const params = objectAt(parseExact(message, storedLimits), 'params')
  return objectAt(params, 'arguments')
}

function objectAt(value: ExactJson, name: string): ExactObject {
  const found = isExactObject(value) ? ownValue(value, name) : undefined
  return found !== undefined && isExactObject(found) ? found : {}
}

function statusChoice(given: ExactObject) {
  const id = ownValue(given, 'id')
  const key = ownValue(given, 'idempotency_key')
  const reference = ownValue(given, 'reference')
  if ([id, key, reference].filter((each) => each !== undefined).length !== 1) return undefined
  const number = id === undefined ? undefined : Number(stringifyExact(id))
  if (number !== undefined) return Number.isSafeInteger(number) ? { id: number } : undefined
  if (typeof key === 'string') return { key }
  return typeof reference === 'string' ? { reference } : undefined
}

/** As the call of a program that prefers to wait. */
function contextOf(question: AgentQuestion, caller: Caller, key: string): CallContext {
  const headers: Record<string, string> = {
    'idempotency-key': key,
    prefer: `wait=${waitSeconds}`,
  }
  return {
    caller,
    requestId: question.requestId,
    address: question.address,
    traceparent: question.traceparent ?? undefined,
    // The agent may leave: what it has started goes on.
    signal: new AbortController().signal,
    isSecure: true,
    bodyText: '',
    header: (name) => headers[name],
    setHeader: () => {},
    afterAnswer: () => {},
    setStatus: () => {},
  }
}
