import { LRUCache } from 'lru-cache'
import { parseDirectives, type CacheFields } from './cache-control.ts'
import { CachedAnswer, isPersonal, type AnswerHead, type CacheRequest } from './cached-answer.ts'

/** Variants (`Vary`) kept of one address; of more, those that came first go. */
const maxVariants = 16

type Lookup =
  /** Not for the cache: ask the upstream, keep nothing. */
  | { kind: 'bypass' }
  | { kind: 'miss' }
  /** Ask with the answer's validators; it may still hold. */
  | { kind: 'stale'; answer: CachedAnswer }
  | { kind: 'hit'; answer: CachedAnswer }
  /** The client accepts only a kept answer, and there is none (504). */
  | { kind: 'refused' }

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
  #recordedBytes = 0

  constructor(maxBytes: number, clock: CacheClock) {
    this.#maxBytes = maxBytes
    this.#clock = clock
    this.#answers = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: sizeOf,
    })
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
    if (
      asked.has('no-store') ||
      fields['range'] !== undefined ||
      isConditionalWrite !== undefined
    ) {
      return { kind: 'bypass' }
    }
    const answer = this.#answers.get(keyOf(request))?.find((each) => each.isFor(request))
    if (answer?.isFreshFor(request) === true) return { kind: 'hit', answer }
    if (asked.has('only-if-cached')) return { kind: 'refused' }
    return answer === undefined ? { kind: 'miss' } : { kind: 'stale', answer }
  }

  /**
   * Takes down an answer while it is passed on; undefined where it will not be kept. `isFramed`:
   * the end of its body is marked by a length or by chunks, so that a cut answer can be recognised.
   */
  record(request: CacheRequest, head: AnswerHead, isFramed: boolean): AnswerRecording | undefined {
    const announced = Number(head.fields['content-length'] ?? 0)
    const isTooLarge = announced > this.maxAnswerBytes
    const answer = CachedAnswer.from(request, head, countedOn(this.#clock))
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
        this.#put(request, answer.withBody(body))
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

  /** After an unsafe method that did not fail, what was kept of its address is out of date (RFC 9111 §4.4). */
  invalidate(url: string): void {
    for (const isOwn of [true, false]) this.#answers.delete(keyFor(url, isOwn))
  }

  #put(request: CacheRequest, answer: CachedAnswer) {
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

interface RecordingOptions {
  maxBytes: number
  reserve(bytes: number): boolean
  release(bytes: number): void
  keep(body: Buffer): void
}

/** One answer that is being taken down. Ends with `finish` or `abandon`, whichever comes first. */
export class AnswerRecording {
  readonly #options: RecordingOptions
  #chunks: Buffer[] = []
  #bytes = 0
  #isOver = false

  constructor(options: RecordingOptions) {
    this.#options = options
  }

  append(chunk: Buffer): void {
    if (this.#isOver) return
    const isFitting = this.#bytes + chunk.length <= this.#options.maxBytes
    if (!isFitting || !this.#options.reserve(chunk.length)) return this.abandon()
    this.#bytes += chunk.length
    this.#chunks.push(chunk)
  }

  /** The answer has ended as it should. */
  finish(): void {
    if (this.#isOver) return
    // A copy: a slice would keep the whole buffer of the socket alive.
    const body = Buffer.allocUnsafeSlow(this.#bytes)
    let at = 0
    for (const chunk of this.#chunks) at += chunk.copy(body, at)
    this.abandon()
    this.#options.keep(body)
  }

  abandon(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#chunks = []
    this.#options.release(this.#bytes)
  }
}
