import type { AgentRequest } from '../../exchange/agent-request.ts'
import type { Opening, Streaming, ToolStreams } from '../../exchange/tool-streams.ts'
import type { CompiledSnapshot } from '../../snapshot/compile-snapshot.ts'
import { agentKey } from '../may-use.ts'
import { shownMark } from './shown-tools.ts'
import { resultText, type RequestId } from '../protocol.ts'

/** Streams of one caller at a time, and of a worker. */
const perCallerMax = 4
const workerMax = 500
const lifeMs = 60 * 60_000
/** Proxies end a connection over which nothing comes. */
const quietMs = 20_000

interface Listener {
  readonly exchange: Streaming
  /** As it was when the stream began; its caller is looked up again. */
  agent: AgentRequest
  readonly id: RequestId
  /** What each message on the stream names it by, as JSON without the braces. */
  readonly named: string
  /** Of what each result carries. */
  readonly endFields: string
  /** Of the tools that its agent knows. */
  mark: string
  lastMs: number
}

/** The streams on which agents are told that their tools have changed, in one worker. */
export class ToolListeners implements ToolStreams {
  readonly #open = new Set<Listener>()
  #checking: Generator<void> | undefined
  #isStopping = false

  /** Begins the stream of a listener. False: there are too many. */
  open(exchange: Streaming, agent: AgentRequest, { id, isOfTools, endFields }: Opening): boolean {
    this.#dropEnded()
    const key = agentKey(agent)
    const own = [...this.#open].filter((each) => agentKey(each.agent) === key)
    if (own.length >= perCallerMax || this.#open.size >= workerMax) return false
    exchange.sendHead(200, [
      'Content-Type',
      'text/event-stream',
      'Cache-Control',
      'no-store',
      'X-Content-Type-Options',
      'nosniff',
      ...agent.corsFields,
    ])
    const listener: Listener = {
      exchange,
      agent,
      id,
      named: `"io.modelcontextprotocol/subscriptionId":${JSON.stringify(id)}`,
      endFields,
      mark: shownMark(exchange.snapshot, agent),
      lastMs: performance.now(),
    }
    const honored = isOfTools ? '{"toolsListChanged":true}' : '{}'
    say(listener, 'subscriptions/acknowledged', `"notifications":${honored},`)
    if (isOfTools && !this.#isStopping) this.#open.add(listener)
    else end(listener)
    return true
  }

  /** Another snapshot is in force. Returns at once: one listener after the other is looked at. */
  recheck(snapshot: CompiledSnapshot): void {
    if (this.#open.size === 0) return
    const isUnderWay = this.#checking !== undefined
    this.#checking = this.#check(snapshot)
    if (!isUnderWay) setImmediate(() => this.#goOn())
  }

  #goOn(): void {
    if (this.#checking?.next().done === false) setImmediate(() => this.#goOn())
    else this.#checking = undefined
  }

  *#check(snapshot: CompiledSnapshot): Generator<void> {
    for (const listener of this.#open) {
      const agent = agentNow(listener.agent, snapshot)
      if (agent === undefined) this.#end(listener)
      else this.#tell(listener, agent, snapshot)
      yield
    }
  }

  #tell(listener: Listener, agent: AgentRequest, snapshot: CompiledSnapshot): void {
    const mark = shownMark(snapshot, agent)
    listener.agent = agent
    if (mark === listener.mark || listener.exchange.isEnded) return
    listener.mark = mark
    say(listener, 'tools/list_changed', '')
  }

  /** To be called each second. */
  sweep(nowMs: number, dateMs: number): void {
    this.#dropEnded()
    for (const listener of this.#open) {
      const { exchange, agent, lastMs } = listener
      if (nowMs - exchange.startedAtMs > lifeMs || agent.caller.expiresAtMs <= dateMs)
        this.#end(listener)
      else if (nowMs - lastMs > quietMs) {
        listener.lastMs = nowMs
        exchange.res.write(':\n\n')
      }
    }
  }

  /** The worker stops: clients listen again elsewhere. */
  drain(): void {
    this.#isStopping = true
    for (const listener of this.#open) this.#end(listener)
  }

  #end(listener: Listener): void {
    this.#open.delete(listener)
    end(listener)
  }

  /** Their clients have left. */
  #dropEnded(): void {
    for (const listener of this.#open) if (listener.exchange.isEnded) this.#open.delete(listener)
  }
}

/**
 * The agent with the rights of today. Undefined: the token does not count any more, nothing is offered at its path, or
 * it has shown a JWT, whose roles are known to its request alone. Its client listens again.
 */
function agentNow(agent: AgentRequest, snapshot: CompiledSnapshot): AgentRequest | undefined {
  const { tokenId } = agent.caller
  const caller = tokenId === null ? null : snapshot.callers.tokens.withId(tokenId)
  const api = agent.api && snapshot.parts.apis.get(agent.api.config.id)
  if (caller === null || api === undefined || api?.config.offer_to_agents === false)
    return undefined
  return { ...agent, caller, api }
}

function say(listener: Listener, method: string, params: string): void {
  const { exchange, named } = listener
  listener.lastMs = performance.now()
  exchange.res.write(
    `data: {"jsonrpc":"2.0","method":"notifications/${method}","params":{${params}"_meta":{${named}}}}\n\n`,
  )
}

function end({ exchange, id, named, endFields }: Listener): void {
  if (exchange.isEnded) return
  const result = `{"resultType":"complete","_meta":{${named},${endFields}}}`
  exchange.res.write(`data: ${resultText(id, result)}\n\n`)
  exchange.end()
}
