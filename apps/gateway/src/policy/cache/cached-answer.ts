import CachePolicy from 'http-cache-semantics'
import {
  forbidsStale,
  parseDirectives,
  readableCacheControl,
  secondsOf,
  type CacheFields,
} from './cache-control.ts'

export interface CacheRequest {
  /** Path and query, as the upstream is asked for them. */
  url: string
  fields: CacheFields
}

export interface AnswerHead {
  status: number
  /** Without hop-by-hop fields. */
  fields: CacheFields
}

/** Bytes that an entry takes beside its body, about. */
const overheadBytes = 1_024

/** One answer kept, with the rules for its reuse (RFC 9111, as a shared cache). */
export class CachedAnswer {
  readonly status: number
  readonly body: Buffer
  readonly fields: CacheFields
  readonly #policy: CachePolicy
  readonly #selecting: Selecting
  readonly #mayBeStale: boolean
  readonly #staleIfErrorSeconds: number

  private constructor(
    { status, fields }: AnswerHead,
    body: Buffer,
    policy: CachePolicy,
    selecting: Selecting,
  ) {
    this.status = status
    this.fields = fields
    this.body = body
    this.#policy = policy
    this.#selecting = selecting
    const directives = parseDirectives(fields['cache-control'])
    this.#mayBeStale = !forbidsStale(directives)
    this.#staleIfErrorSeconds = secondsOf(directives, 'stale-if-error') ?? 0
  }

  /**
   * An answer whose head has come just now, still without its body; undefined where it may not be
   * kept, or would never be of use.
   */
  static from(request: CacheRequest, head: AnswerHead, now: () => number) {
    if (!mayKeep(request, head)) return undefined
    const policy = policyOf(request, head, now)
    const isUseful = policy.maxAge() > 0 || hasValidator(head.fields)
    if (!policy.storable() || !isUseful) return undefined
    const varied = (head.fields['vary'] ?? '').toLowerCase().match(/[^\s,]+/g) ?? []
    const names = [...alwaysSelecting, ...varied]
    const selecting = names.map((name) => [name, request.fields[name]] as const)
    return new CachedAnswer(head, Buffer.alloc(0), policy, selecting)
  }

  withBody(body: Buffer): CachedAnswer {
    return new CachedAnswer(this, body, this.#policy, this.#selecting)
  }

  get sizeBytes(): number {
    let bytes = overheadBytes + this.body.length
    for (const [name, value] of Object.entries(this.fields)) bytes += name.length + value.length
    return bytes
  }

  /** True where this is the variant that the request selects (`Vary`). */
  isFor(request: CacheRequest): boolean {
    return this.#selecting.every(([name, value]) => request.fields[name] === value)
  }

  /** True where it may be given out as it is. */
  isFreshFor(request: CacheRequest): boolean {
    const asked = parseDirectives(request.fields['cache-control'])
    // Pragma counts only where Cache-Control is silent (RFC 9111 §5.4).
    const isPragma = asked.size === 0 && /no-cache/i.test(request.fields['pragma'] ?? '')
    if (asked.has('no-cache') || isPragma) return false
    const age = this.#policy.age()
    const left = this.#policy.maxAge() - age
    const maxAge = secondsOf(asked, 'max-age')
    if (maxAge !== undefined && age > maxAge) return false
    if (left > (secondsOf(asked, 'min-fresh') ?? 0)) return true
    if (left > 0 || !this.#mayBeStale || !asked.has('max-stale')) return false
    return asked.get('max-stale') === true || -left <= (secondsOf(asked, 'max-stale') ?? 0)
  }

  /** True where it may replace an answer that failed (RFC 5861 §4). */
  isUsableOnError(): boolean {
    const usableSeconds = this.#policy.maxAge() + this.#staleIfErrorSeconds
    return this.#mayBeStale && usableSeconds > this.#policy.age()
  }

  /** Fields to ask the upstream with whether it still holds; empty where it has no validator. */
  validators(): Record<string, string> {
    const { etag, 'last-modified': modified } = this.fields
    return {
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(modified === undefined ? {} : { 'if-modified-since': modified }),
    }
  }

  /** This answer after the upstream's 304 (RFC 9111 §4.3.4); undefined where it may be kept no longer. */
  refreshed(request: CacheRequest, fields: CacheFields, now: () => number) {
    const merged: Record<string, string> = { ...this.fields }
    delete merged['age']
    for (const [name, value] of Object.entries(fields)) {
      if (!ofTheBody.has(name)) merged[name] = value
    }
    return CachedAnswer.from(request, { status: this.status, fields: merged }, now)?.withBody(
      this.body,
    )
  }

  /** Fields to give out with it, `Age` and the length of its body among them. */
  answerFields(): Record<string, string> {
    const fields: Record<string, string> = { ...this.fields }
    fields['age'] = String(Math.max(0, Math.floor(this.#policy.age())))
    fields['content-length'] = String(this.body.length)
    return fields
  }
}

/**
 * What a client claims to have called reaches the upstream, which may build links from it although it
 * does not say `Vary`: such an answer must not be given to a client that named something else.
 */
const alwaysSelecting = ['x-forwarded-host', 'x-forwarded-proto']

/** Fields of the request that the answer varies by, with what they held. */
type Selecting = readonly (readonly [name: string, value: string | undefined])[]

/** A 304 does not change what it says of the body, which we have already (RFC 9111 §3.2). */
const ofTheBody = new Set([
  'content-length',
  'content-encoding',
  'content-type',
  'content-range',
  'transfer-encoding',
])

const hasValidator = (fields: CacheFields) =>
  fields['etag'] !== undefined || fields['last-modified'] !== undefined

/** What we rule out on top of the RFC. */
function mayKeep(request: CacheRequest, { status, fields }: AnswerHead): boolean {
  if (fields['set-cookie'] !== undefined || status === 206 || status === 304) return false
  if (/\*/.test(fields['vary'] ?? '')) return false
  const directives = parseDirectives(fields['cache-control'])
  if (directives.has('no-store') || directives.has('private')) return false
  // RFC 9111 §3.5, without must-revalidate; what else identifies a caller is treated alike.
  return !isPersonal(request.fields) || directives.has('public') || directives.has('s-maxage')
}

/** True where a request identifies its sender. */
export const isPersonal = (fields: CacheFields): boolean =>
  fields['authorization'] !== undefined ||
  fields['cookie'] !== undefined ||
  fields['x-api-key'] !== undefined

function policyOf(request: CacheRequest, head: AnswerHead, now: () => number): CachePolicy {
  class TimedPolicy extends CachePolicy {
    // The constructor asks for the time already: a field of the class would come too late.
    now() {
      return now()
    }
  }
  const cacheControl = head.fields['cache-control']
  const headers: Record<string, string> = { ...head.fields }
  if (cacheControl !== undefined) headers['cache-control'] = readableCacheControl(cacheControl)
  // The sender, the request and `Vary` are checked in this class, not in the policy.
  delete headers['vary']
  return new TimedPolicy(
    { url: request.url, method: 'GET', headers: {} },
    { status: head.status, headers },
    // No guesses: what says nothing of its freshness is asked for again each time.
    { shared: true, cacheHeuristic: 0, immutableMinTimeToLive: 0 },
  )
}
