import { gatewayErrorTable } from '@gatehouse/contract/gateway'
import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ReportMessage, TraceMessage } from '../messages/report-messages.ts'
import type { AccountedRequest } from './accounted-request.ts'
import { AccessLog } from './access-log.ts'
import { Counters, outcomeOf } from './counters.ts'

interface AccountingOptions {
  dataDir: string | null
  worker: number
  logLevel: 'debug' | 'info' | 'warn' | 'error'
  accessLogMaxBytes: number
  onTrace?: (trace: TraceMessage) => void
}

/** What is kept of each request: a log line, counts, and a trace where one was asked for. */
export class Accounting {
  readonly counters = new Counters()
  readonly #log: AccessLog | null
  readonly #onTrace: ((trace: TraceMessage) => void) | undefined
  #refusedConnections = 0
  #rssBytes = 0
  #isRssRead = true
  readonly #loopDelay = monitorEventLoopDelay({ resolution: 20 })

  constructor({ dataDir, worker, logLevel, accessLogMaxBytes, onTrace }: AccountingOptions) {
    const options = { worker, level: logLevel, maxTotalBytes: accessLogMaxBytes }
    this.#log = dataDir === null ? null : new AccessLog({ dataDir, ...options })
    this.#onTrace = onTrace
    this.#loopDelay.enable()
  }

  account(exchange: AccountedRequest): void {
    const { endpoint, status, code, upstreamMs, bytesIn, bytesOut, trace, policyRun } = exchange
    const durationMs = performance.now() - exchange.startedAtMs
    const endpointId = endpoint === null ? 0 : endpoint.config.id
    const { switchedAtMs, startedAtMs } = exchange
    const answeredMs = switchedAtMs === 0 ? durationMs : switchedAtMs - startedAtMs
    this.counters.count(endpointId, status, answeredMs, upstreamMs, bytesIn, bytesOut)
    if (policyRun !== null && policyRun.cached !== null) {
      const { cached, savedMs } = policyRun
      this.counters.countCache(endpointId, status, cached === 'hit', savedMs)
    }
    const { agent, caller } = exchange
    if (agent !== null && agent.toolName !== null && caller !== null && caller.tokenId !== null)
      this.counters.countTool(
        { tokenId: caller.tokenId, tool: agent.toolName },
        agent.outcome ?? outcomeOf(status),
        answeredMs,
      )
    if (code !== null) this.counters.countCode(code)
    this.#log?.write(exchange, durationMs)
    if (trace === null) return
    const { requestId, snapshot } = exchange
    // A stage that answers at once ends the exchange before it is itself noted in the trace.
    queueMicrotask(() =>
      this.#onTrace?.(
        trace.toMessage({ request_id: requestId, revision: snapshot.revision, status }),
      ),
    )
  }

  /** Bytes that never became a request. */
  refusedUnread(code: GatewayErrorCode, client: string, requestId: string): void {
    const { status } = gatewayErrorTable[code]
    this.counters.count(0, status, 0, 0, 0, 0)
    this.counters.countCode(code)
    this.#log?.writeUnread({ status, code, client, requestId })
  }

  /** A connection that was closed at once: the process holds as many as it may. */
  refusedConnection(): void {
    this.#refusedConnections++
  }

  /** Spans that no collector has. */
  lostSpans(lost: number, reason: string): void {
    this.#log?.note('warn', `${lost} spans were lost: ${reason}`)
  }

  fault(error: unknown, requestId: string | null): void {
    this.#log?.fault(error, requestId)
  }

  /** To be called each second. */
  flush(): void {
    if (this.#refusedConnections > 0) {
      this.#log?.note('warn', `${this.#refusedConnections} connections refused: too many are open`)
      this.#refusedConnections = 0
    }
    this.#log?.flush()
  }

  close(): void {
    this.#loopDelay.disable()
    this.#log?.close()
  }

  report(
    inFlight: number,
    connections: number,
  ): Omit<ReportMessage, 'open_breakers' | 'quota_uses' | 'web_sockets'> {
    const { traffic, codes, tokenUses, toolCalls, unknownKeys } = this.counters.take()
    const cpu = process.cpuUsage()
    const loopDelayMs = this.#loopDelay.percentile(99) / 1e6
    this.#loopDelay.reset()
    return {
      type: 'report',
      at: new Date().toISOString(),
      traffic,
      codes,
      token_uses: tokenUses,
      tool_calls: toolCalls,
      unknown_keys: unknownKeys,
      in_flight: inFlight,
      connections,
      rss_bytes: this.#readRss(),
      cpu_ms: (cpu.user + cpu.system) / 1_000,
      loop_delay_ms: Math.round(loopDelayMs * 10) / 10,
      log_lines_lost: this.#log?.lost ?? 0,
    }
  }

  /** Reading it opens a file, which fails where the process has no descriptor left. */
  #readRss(): number {
    try {
      this.#rssBytes = process.memoryUsage.rss()
      this.#isRssRead = true
    } catch (error) {
      if (this.#isRssRead) this.#log?.note('warn', `memory use is unknown: ${String(error)}`)
      this.#isRssRead = false
    }
    return this.#rssBytes
  }
}
