import { redactSecrets, RotatingFile, toLoggedError } from '@gatehouse/logging/files'
import type { Loss } from '@gatehouse/logging/files'
import { join } from 'node:path'

import type { AccountedRequest } from './accounted-request.ts'

interface AccessLogOptions {
  dataDir: string
  worker: number
  level: 'debug' | 'info' | 'warn' | 'error'
  /** Of all files of this worker together. */
  maxTotalBytes: number
}

const batchBytes = 64 * 1024
/** Of one UTF-16 code unit in UTF-8, at most. */
const unitBytesMax = 3
const pathMaxLength = 2_048

/**
 * One JSON line for each request, in `DATA_DIR/logs/gateway`, a file for each worker. Lines are
 * collected as bytes and written once a second or when there are 64 KiB of them. Only the fields named here
 * are ever written; paths and error texts go through the filter for secrets, queries are left out.
 */
export class AccessLog {
  readonly #file: RotatingFile
  readonly #isVerbose: boolean
  readonly #batch = Buffer.allocUnsafeSlow(batchBytes)
  #used = 0
  #lines = 0
  #lost = 0
  #second = 0
  #secondText = ''
  #beginMs = 0
  #beginLevel = ''
  #begin = ''

  constructor({ dataDir, worker, level, maxTotalBytes }: AccessLogOptions) {
    this.#isVerbose = level === 'debug' || level === 'info'
    this.#file = new RotatingFile({
      folder: join(dataDir, 'logs', 'gateway'),
      name: `gateway-${worker}`,
      clock: { now: () => new Date() },
      lossLine,
      maxTotalBytes,
    })
  }

  /** Lines that could not be written so far. */
  get lost(): number {
    return this.#lost
  }

  write(exchange: AccountedRequest, durationMs: number): void {
    const { status, code, endpoint, caller, detail, upstreamStatus, trace } = exchange
    const isFault = status >= 500 || status === 0
    if (!isFault && !this.#isVerbose) return
    const level = isFault ? 'warn' : 'info'
    this.#add(
      `${this.#beginOf(level)}${exchange.requestId}","method":${quoted(exchange.method)},"path":${this.#path(exchange)},"endpoint_id":${
        endpoint === null
          ? 'null'
          : `${endpoint.config.id || 'null'},"api_id":${endpoint.config.api_id}`
      },"status":${status},${code === null ? '' : `"code":"${code}",`}"duration_ms":${tenths(
        durationMs,
      )},"upstream_ms":${tenths(exchange.upstreamMs)},${
        upstreamStatus === 0 ? '' : `"upstream_status":${upstreamStatus},`
      }"bytes_in":${exchange.bytesIn},"bytes_out":${
        exchange.bytesOut
      },"client":"${exchange.clientAddress}",${
        caller === null ? '"token_id":null' : caller.logged
      }${trace === null ? '' : trace.isOfUnsaved ? ',"is_try":true,"is_unsaved":true' : ',"is_try":true'}${
        exchange.policyRun?.isCanary ? ',"is_canary":true' : ''
      }${exchange.isMock ? ',"is_mock":true' : ''}${endpoint?.isDraft ? ',"is_draft":true' : ''}${agentFields(exchange)}${detail === null ? '' : `,"detail":${JSON.stringify(redactSecrets(detail))}`}}\n`,
    )
  }

  /** For what never became a request. */
  writeUnread(line: { status: number; code: string; client: string; requestId: string }): void {
    const { status, code, client, requestId } = line
    if (!this.#isVerbose) return
    this.#add(
      `${this.#beginOf('info')}${requestId}","status":${status},"code":"${code}","client":"${client}"}\n`,
    )
  }

  /** A fault of ours, whole, without secrets. */
  fault(error: unknown, requestId: string | null): void {
    this.#add(
      `${JSON.stringify({
        level: 'error',
        time: new Date().toISOString(),
        context: 'gateway',
        ...(requestId === null ? {} : { request_id: requestId }),
        msg: 'a fault in the gateway',
        err: toLoggedError(error),
      })}\n`,
    )
    this.flush()
  }

  /** Something about the worker itself. */
  note(level: 'info' | 'warn', msg: string): void {
    const line = { level, time: new Date().toISOString(), context: 'gateway', msg }
    this.#add(`${JSON.stringify(line)}\n`)
  }

  flush(): void {
    if (this.#lines === 0) return
    const batch = this.#batch.subarray(0, this.#used)
    this.#used = 0
    const lines = this.#lines
    this.#lines = 0
    if (!this.#file.write(batch, lines)) this.#lost += lines
  }

  close(): void {
    this.flush()
    this.#file.close()
  }

  #add(line: string): void {
    const bytesMax = line.length * unitBytesMax
    if (this.#used + bytesMax > batchBytes) this.flush()
    if (bytesMax > batchBytes) {
      if (!this.#file.write(line)) this.#lost++
      return
    }
    this.#used += this.#batch.write(line, this.#used, 'utf8')
    this.#lines++
  }

  /** A configured path holds no secret; the value of a parameter might. */
  #path({ endpoint, path }: AccountedRequest): string {
    if (endpoint !== null && endpoint.fullPath === path) return quoted(path)
    return JSON.stringify(redactSecrets(path.slice(0, pathMaxLength)))
  }

  /** Up to the id of the request: the same for all lines of a millisecond. */
  #beginOf(level: string): string {
    const now = Date.now()
    if (now !== this.#beginMs || level !== this.#beginLevel) {
      this.#beginMs = now
      this.#beginLevel = level
      this.#begin = `{"level":"${level}","time":"${this.#timeText(now)}","context":"gateway","request_id":"`
    }
    return this.#begin
  }

  #timeText(now: number): string {
    const second = Math.floor(now / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#secondText = new Date(second * 1_000).toISOString().slice(0, 20)
    }
    const ms = now - second * 1_000
    return `${this.#secondText}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`
  }
}

function lossLine({ lines, since, reason }: Loss): string {
  const line = {
    level: 'warn',
    time: new Date().toISOString(),
    context: 'gateway',
    dropped: lines,
    since: since.toISOString(),
    reason,
    msg: `${lines} lines of the access log could not be written and were dropped`,
  }
  return `${JSON.stringify(line)}\n`
}

const agentMaxLength = 100

/** Of a message of an agent: what its client calls itself. */
const agentFields = ({ agent }: AccountedRequest): string =>
  agent === null
    ? ''
    : `,"via":"mcp","agent":${JSON.stringify(redactSecrets(agent.clientName.slice(0, agentMaxLength)))}`

/** For text that needs no escape: methods and configured paths. */
const quoted = (text: string) => `"${text}"`

/** Milliseconds with one digit after the point. */
function tenths(ms: number): string {
  const all = Math.round(ms * 10)
  return all % 10 === 0 ? `${all / 10}` : `${Math.floor(all / 10)}.${all % 10}`
}
