import { mask } from '@gatehouse/upstream/http'
import type { TraceMessage, TraceStage } from '../messages/report-messages.ts'
import type { UnsavedEndpoint } from '../messages/unsaved-messages.ts'
import type { LentClient } from './trace-signature.ts'

/** What a request went through, stage by stage, for the person who sent it from the dashboard. */
export class Trace {
  readonly id: string
  /** The token that the request is tried with, without showing it; null: what the request itself shows counts. */
  readonly tokenId: number | null
  /** The role that it is tried with instead; null: none. */
  readonly roleId: number | null
  /** Null for others, and where this process has not got the definition. */
  unsaved: UnsavedEndpoint | null = null
  readonly #startedAtMs: number
  readonly #stages: TraceStage[] = []
  #last: TraceStage | null = null

  constructor(id: string, startedAtMs: number, as: LentClient | null = null) {
    this.id = id
    this.tokenId = as !== null && 'tokenId' in as ? as.tokenId : null
    this.roleId = as !== null && 'roleId' in as ? as.roleId : null
    this.#startedAtMs = startedAtMs
  }

  /** Nobody has to prove who asks: the control plane said as whom it is tried. */
  get isAsClient(): boolean {
    return this.tokenId !== null || this.roleId !== null
  }

  /** The request tries a definition that is not saved: the id begins with `u_`. */
  get isOfUnsaved(): boolean {
    return this.id.startsWith('u_')
  }

  /** The id begins with the endpoint that is tried: `e7_…`. */
  isMeantFor(endpointId: number): boolean {
    return this.id.startsWith(`e${endpointId}_`)
  }

  /** `sinceMs`: when the stage began, on the clock of `performance.now()`. */
  add(
    name: string,
    verdict: TraceStage['verdict'],
    sinceMs: number,
    details: Record<string, unknown>,
    code?: string | null,
  ): void {
    this.#stages.push({
      ...this.#timed(name, sinceMs, details),
      verdict,
      ...(code ? { code } : {}),
    })
  }

  /**
   * Adds a stage behind all others, in place of one that was added so before: the head of an answer goes out
   * before its call has ended.
   */
  addLast(name: string, sinceMs: number, details: Record<string, unknown>): void {
    this.#last = { ...this.#timed(name, sinceMs, details), verdict: 'passed' }
  }

  #timed(name: string, sinceMs: number, details: Record<string, unknown>) {
    return {
      name,
      started_ms: rounded(sinceMs - this.#startedAtMs),
      took_ms: rounded(performance.now() - sinceMs),
      details,
    }
  }

  toMessage(facts: Pick<TraceMessage, 'request_id' | 'revision' | 'status'>): TraceMessage {
    return {
      type: 'trace',
      id: this.id,
      ...facts,
      took_ms: rounded(performance.now() - this.#startedAtMs),
      stages: this.#last === null ? this.#stages : [...this.#stages, this.#last],
    }
  }
}

const secretName =
  /^(?:authorization|cookie|set-cookie|proxy-auth.*|.*(?:token|secret|password|api-?key|session|csrf|xsrf).*)$/i

/** What of a credential must not be shown: the values of these headers, and these texts anywhere. */
export interface Hidden {
  /** In lower case. */
  names: readonly string[]
  secrets: readonly string[]
}

/** Header fields as they may be shown: secrets masked. */
export function maskedHeaders(
  raw: readonly string[],
  { names, secrets }: Hidden,
): [string, string][] {
  const shown: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? ''
    const value = raw[at + 1] ?? ''
    const isSecret = secretName.test(name) || names.includes(name.toLowerCase())
    shown.push([name, isSecret ? value.replace(/^(\w+ )?.*$/s, '$1••••') : mask(value, secrets)])
  }
  return shown
}

const rounded = (ms: number) => Math.round(ms * 1_000) / 1_000
