import { forbidsStale, parseDirectives, secondsOf, type CacheFields } from './cache-control.ts'
import type { AnswerHead, CacheRequest } from './cache-request.ts'
import { freshnessOf, type Freshness } from './freshness.ts'
import { hasValidator, isUseful, mayKeep } from './may-keep.ts'

/** Bytes that an entry takes beside its body, about. */
const overheadBytes = 1_024

/** One answer kept, with the rules for its reuse (RFC 9111, as a shared cache). */
export class CachedAnswer {
  readonly status: number
  readonly body: Buffer
  readonly fields: CacheFields
  /** How long the upstream took until it began to answer. */
  readonly tookMs: number
  readonly #freshness: Freshness
  readonly #selecting: Selecting
  readonly #mayBeStale: boolean
  /** It came at this time, by a clock that is never set. */
  readonly #sinceMs: number
  readonly #now: () => number

  private constructor(
    { status, fields }: AnswerHead,
    body: Buffer,
    { freshness, selecting, sinceMs, now, tookMs }: Timing,
  ) {
    this.tookMs = tookMs
    this.status = status
    this.fields = fields
    this.body = body
    this.#freshness = freshness
    this.#selecting = selecting
    this.#sinceMs = sinceMs
    this.#now = now
    this.#mayBeStale = !forbidsStale(freshness.directives)
  }

  /**
   * An answer whose head has come just now, still without its body; undefined where it may not be
   * kept, or would never be of use.
   */
  static from(request: CacheRequest, head: AnswerHead, now: () => number) {
    const sinceMs = now()
    const freshness = freshnessOf(head.fields, sinceMs)
    if (!mayKeep(request, head, freshness.directives) || !isUseful(head, freshness))
      return undefined
    const varied = (head.fields['vary'] ?? '').toLowerCase().match(/[^\s,]+/g) ?? []
    const names = [...alwaysSelecting, ...varied]
    const selecting = names.map((name) => [name, plainValue(name, request.fields[name])] as const)
    return new CachedAnswer(head, Buffer.alloc(0), {
      freshness,
      selecting,
      sinceMs,
      now,
      tookMs: 0,
    })
  }

  withBody(body: Buffer, tookMs: number): CachedAnswer {
    return new CachedAnswer(this, body, {
      freshness: this.#freshness,
      selecting: this.#selecting,
      sinceMs: this.#sinceMs,
      now: this.#now,
      tookMs,
    })
  }

  get ageSeconds(): number {
    return this.#freshness.ageSeconds + Math.max(0, this.#now() - this.#sinceMs) / 1_000
  }

  get #lifetimeSeconds(): number {
    return this.#freshness.lifetimeSeconds ?? 0
  }

  get sizeBytes(): number {
    let bytes = overheadBytes + this.body.length
    for (const [name, value] of Object.entries(this.fields)) bytes += name.length + value.length
    return bytes
  }

  /** True where this is the variant that the request selects (`Vary`). */
  isFor(request: CacheRequest): boolean {
    return this.#selecting.every(
      ([name, value]) => plainValue(name, request.fields[name]) === value,
    )
  }

  /** True where it may be given out as it is. */
  isFreshFor(request: CacheRequest): boolean {
    const asked = parseDirectives(request.fields['cache-control'])
    // Pragma counts only where Cache-Control is silent (RFC 9111 §5.4).
    const isPragma = asked.size === 0 && /no-cache/i.test(request.fields['pragma'] ?? '')
    if (asked.has('no-cache') || isPragma) return false
    const age = this.ageSeconds
    const left = this.#lifetimeSeconds - age
    const maxAge = secondsOf(asked, 'max-age')
    if (maxAge !== undefined && age > maxAge) return false
    if (left > (secondsOf(asked, 'min-fresh') ?? 0)) return true
    if (left > 0 || !this.#mayBeStale || !asked.has('max-stale')) return false
    return asked.get('max-stale') === true || -left <= (secondsOf(asked, 'max-stale') ?? 0)
  }

  /** True where it may replace an answer that failed (RFC 5861 §4). */
  isUsableOnError(): boolean {
    return this.#isUsableFor('stale-if-error')
  }

  /** True where it may be given out while the upstream is asked for another (RFC 5861 §3). */
  isUsableMeanwhile(): boolean {
    return this.#isUsableFor('stale-while-revalidate')
  }

  #isUsableFor(directive: string): boolean {
    const seconds = secondsOf(this.#freshness.directives, directive) ?? 0
    return this.#mayBeStale && this.#lifetimeSeconds + seconds > this.ageSeconds
  }

  get hasValidator(): boolean {
    return hasValidator(this.fields)
  }

  /** Fields to ask the upstream with whether it still holds; empty where it has no validator. */
  validators(): Record<string, string> {
    const { etag, 'last-modified': modified } = this.fields
    return {
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(modified === undefined ? {} : { 'if-modified-since': modified }),
    }
  }

  /**
   * This answer after the upstream's 304 (RFC 9111 §4.3.4); undefined where it may be kept no longer. A 304 to another
   * answer than this one says nothing of it.
   */
  refreshed(request: CacheRequest, fields: CacheFields, now: () => number) {
    const { etag } = fields
    if (etag !== undefined && !etag.startsWith('W/') && etag !== this.fields['etag']) return this
    const merged: Record<string, string> = { ...this.fields }
    delete merged['age']
    for (const [name, value] of Object.entries(fields)) {
      if (!ofTheBody.has(name)) merged[name] = value
    }
    return CachedAnswer.from(request, { status: this.status, fields: merged }, now)?.withBody(
      this.body,
      this.tookMs,
    )
  }

  /** Whether an answer to HEAD speaks of this one (RFC 9111 §4.3.5). */
  isSameAs(fields: CacheFields): boolean {
    const length = fields['content-length']
    return (
      (['etag', 'last-modified'] as const).every(
        (name) => fields[name] === undefined || fields[name] === this.fields[name],
      ) &&
      (length === undefined || Number(length) === this.body.length)
    )
  }

  /** Fields to give out with it, `Age` and the length of its body among them. */
  answerFields(): Record<string, string> {
    const fields: Record<string, string> = { ...this.fields }
    fields['age'] = String(Math.max(0, Math.floor(this.ageSeconds)))
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

interface Timing {
  readonly freshness: Freshness
  readonly selecting: Selecting
  readonly sinceMs: number
  readonly now: () => number
  readonly tookMs: number
}

/** RFC 9111 §4.1: blanks around the members of a list make no other request, nor does the case of a language. */
function plainValue(name: string, value: string | undefined): string | undefined {
  // Hosts and schemes are no lists, and are compared for each request.
  if (value === undefined || alwaysSelecting.includes(name)) return value
  const plain = value.replace(/[ \t]*([,;])[ \t]*/g, '$1').trim()
  return name === 'accept-language' || name === 'accept-encoding' ? plain.toLowerCase() : plain
}

/** A 304 does not change what they say of the body, which we have already (RFC 9111 §3.2). */
const ofTheBody = new Set([
  'content-length',
  'content-encoding',
  'content-range',
  'content-md5',
  'content-digest',
  'repr-digest',
  'digest',
  'transfer-encoding',
])
