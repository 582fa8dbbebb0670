import type { CachePurge } from '@gatehouse/contract/gateway'
import { LRUCache } from 'lru-cache'
import { parseDirectives, type CacheFields } from './cache-control.ts'
import { AnswerRecording } from './answer-recording.ts'
import { rangeOf, type ByteRange } from './byte-range.ts'
import type { AnswerHead, CacheRequest } from './cache-request.ts'
import { CachedAnswer } from './cached-answer.ts'
import { isPersonal } from './may-keep.ts'
import { purgedBy, PurgeList } from './purge-list.ts'

/** Variants (`Vary`) kept of one address; of more, those that came first go. */
const maxVariants = 16

type Lookup =
  /** Not for the cache: ask the upstream, keep nothing. */
  | { kind: 'bypass' }
  | { kind: 'miss' }
  /** Ask with the answer's validators; it may still hold. */
  | { kind: 'stale'; answer: CachedAnswer }
  /** `range`: only this part of its body. */
  | { kind: 'hit'; answer: CachedAnswer; range?: ByteRange }
  /** Give it, and ask the upstream for the next one. */
  | { kind: 'meanwhile'; answer: CachedAnswer }
  /** The client accepts only a kept answer, and there is none (504). */
  | { kind: 'refused' }

/** Directives of a request by which it is not content with what is past its time. */
const demandsFresh = ['no-cache', 'max-age', 'min-fresh', 'max-stale']

interface CacheClock {
  /** The time of day, milliseconds since 1970. */
  dateMs: () => number
  /** Monotonic. */
  nowMs: () => number
}

/** The time of day, counted on from now by the monotonic clock: a clock that is set makes no answer younger or older. */
function countedOn({ dateMs, nowMs }: CacheClock): () => number {
  const aheadMs = dateMs() - nowMs()
  return () => aheadMs + nowMs()
}

/**
 * The answers to GET of one API, kept as their `Cache-Control` and `Vary` say, up to a number of bytes in
 * all. Beyond that, those unused for longest are dropped. In this process alone.
 */
export class ResponseCache {
  readonly #maxBytes: number
  readonly #clock: CacheClock
  readonly #answers: LRUCache<string, readonly CachedAnswer[]>
  /** Addresses that the upstream is being asked for while clients get what is kept. */
  readonly #renewed = new Set<string>()
  readonly #purgeList: PurgeList
  #recordedBytes = 0

  /** It is empty: the purges until now have nothing to drop. */
  constructor(maxBytes: number, clock: CacheClock, purges: readonly CachePurge[] = []) {
    this.#maxBytes = maxBytes
    this.#purgeList = new PurgeList(purges)
    this.#clock = clock
    this.#answers = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: sizeOf,
    })
  }

  /** A request that has come just now. `url`: path and query as the upstream is asked for them. */
  ask(url: string, fields: CacheFields): CacheRequest {
    return { url, fields, purges: this.#purgeList.seen, atMs: this.#clock.nowMs() }
  }

  /** Drops what those of the list ask for that it has not seen yet. */
  purge(purges: readonly CachePurge[]): void {
    const fresh = this.#purgeList.take(purges)
    if (fresh === 'all') return this.#answers.clear()
    if (fresh.length === 0) return
    const isPurged = fresh.map(purgedBy)
    // A list of its own: an address that is set again while the cache is walked begins the walk again.
    const entries = [...this.#answers.entries()]
    for (const [key, answers] of entries) {
      // The mark in front of the address is no part of it.
      const url = key.slice(1)
      const kept = answers.filter(({ fields }) => !isPurged.some((isIts) => isIts(url, fields)))
      if (kept.length === 0) this.#answers.delete(key)
      else if (kept.length < answers.length) this.#answers.set(key, kept)
    }
  }

  /** One answer takes a quarter of the cache at most. */
  get maxAnswerBytes(): number {
    return Math.floor(this.#maxBytes / 4)
  }

  get sizeBytes(): number {
    return this.#answers.calculatedSize
  }

  /** For GET and HEAD; `HEAD` is answered with the head of a GET. */
  lookUp(request: CacheRequest): Lookup {
    const { fields } = request
    const asked = parseDirectives(fields['cache-control'])
    const isConditionalWrite = fields['if-match'] ?? fields['if-unmodified-since']
    if (asked.has('no-store') || isConditionalWrite !== undefined) return { kind: 'bypass' }
    const answer = this.#answers.get(keyOf(request))?.find((each) => each.isFor(request))
    const isFresh = answer?.isFreshFor(request) === true
    if (fields['range'] !== undefined) {
      const range = isFresh ? rangeOf(fields, answer) : undefined
      return isFresh && range ? { kind: 'hit', answer, range } : { kind: 'bypass' }
    }
    if (isFresh) return { kind: 'hit', answer }
    if (asked.has('only-if-cached')) return { kind: 'refused' }
    if (answer === undefined) return { kind: 'miss' }
    const isAnyAge = !demandsFresh.some((name) => asked.has(name)) && fields['pragma'] === undefined
    return { kind: isAnyAge && answer.isUsableMeanwhile() ? 'meanwhile' : 'stale', answer }
  }

  /** Whether it begins now: false where somebody does it already. To be ended with `endRenewal`. */
  beginRenewal(request: CacheRequest): boolean {
    const key = keyOf(request)
    return this.#renewed.size < this.#renewed.add(key).size
  }

  endRenewal(request: CacheRequest): void {
    this.#renewed.delete(keyOf(request))
  }

  /**
   * Takes down an answer while it is passed on; undefined where it will not be kept. `isFramed`:
   * the end of its body is marked by a length or by chunks, so that a cut answer can be recognised.
   */
  record(request: CacheRequest, head: AnswerHead, isFramed: boolean): AnswerRecording | undefined {
    const announced = Number(head.fields['content-length'] ?? 0)
    const isTooLarge = announced > this.maxAnswerBytes
    const answer = CachedAnswer.from(request, head, countedOn(this.#clock))
    // Not the time of the body as well: that arrives no faster than its first client reads.
    const tookMs = this.#clock.nowMs() - request.atMs
    if (!isFramed || isTooLarge || answer === undefined) return undefined
    return new AnswerRecording({
      maxBytes: this.maxAnswerBytes,
      // Answers that are being taken down count against the cache's size as well.
      reserve: (bytes) => {
        if (this.#recordedBytes + bytes > this.#maxBytes) return false
        this.#recordedBytes += bytes
        return true
      },
      release: (bytes) => {
        this.#recordedBytes -= bytes
      },
      keep: (body) => {
        const length = head.fields['content-length']
        if (length !== undefined && Number(length) !== body.length) return
        this.#put(request, answer.withBody(body, tookMs))
      },
    })
  }

  /** After a 304 to the validators of `answer`: what to give out now. */
  refresh(request: CacheRequest, answer: CachedAnswer, fields: CacheFields): CachedAnswer {
    const refreshed = answer.refreshed(request, fields, countedOn(this.#clock))
    if (refreshed) this.#put(request, refreshed)
    else this.#drop(request)
    return refreshed ?? answer
  }

  /** After an answer to HEAD: what it says of the answer to GET that is kept (RFC 9111 §4.3.5). */
  takeHead(request: CacheRequest, answer: CachedAnswer, fields: CacheFields): void {
    if (answer.isSameAs(fields)) this.refresh(request, answer, fields)
    else this.#drop(request)
  }

  /** After an unsafe method that did not fail, what was kept of its address is out of date (RFC 9111 §4.4). */
  invalidate(url: string): void {
    for (const isOwn of [true, false]) this.#answers.delete(keyFor(url, isOwn))
  }

  #put(request: CacheRequest, answer: CachedAnswer) {
    if (request.purges !== this.#purgeList.seen) return
    const key = keyOf(request)
    const others = (this.#answers.get(key) ?? []).filter((each) => !each.isFor(request))
    const kept = [answer, ...others].slice(0, maxVariants)
    while (kept.length > 1 && sizeOf(kept, key) > this.#maxBytes) kept.pop()
    this.#answers.set(key, kept)
  }

  #drop(request: CacheRequest) {
    const key = keyOf(request)
    const others = (this.#answers.get(key) ?? []).filter((each) => !each.isFor(request))
    if (others.length === 0) this.#answers.delete(key)
    else this.#answers.set(key, others)
  }
}

function sizeOf(answers: readonly CachedAnswer[], key: string): number {
  return answers.reduce((bytes, answer) => bytes + answer.sizeBytes, key.length)
}

const keyFor = (url: string, isOwn: boolean) => (isOwn ? `o${url}` : `a${url}`)

/** Answers to anonymous requests and to requests that identify their sender are kept apart. */
const keyOf = ({ url, fields }: CacheRequest) => keyFor(url, isPersonal(fields))
