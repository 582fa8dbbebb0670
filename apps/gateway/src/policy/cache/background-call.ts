import type { AnswerHead, OutgoingCall } from '@gatehouse/http1'
import { allFields } from '@gatehouse/http1'
import { answerFields } from '../../calls/answer-fields.ts'
import { joinedFields } from '../../http/joined-fields.ts'
import type { CacheRequest } from './cache-request.ts'
import type { CachedAnswer } from './cached-answer.ts'
import type { AnswerRecording } from './answer-recording.ts'
import type { ResponseCache } from './response-cache.ts'

interface Renewal {
  readonly cache: ResponseCache
  readonly request: CacheRequest
  /** That which was given to the client meanwhile. */
  readonly stale: CachedAnswer
  readonly path: string
  readonly fields: readonly string[]
  readonly timeoutMs: number
  /** It has ended, however. */
  readonly done: () => void
}

/** Asks the upstream for the next answer while clients get the last one (RFC 5861 §3). Nobody waits for it. */
export class BackgroundCall implements OutgoingCall {
  readonly method = 'GET'
  readonly isRepeatable = true
  readonly body = null
  readonly bodyLength = 0
  readonly switching = null
  readonly #renewal: Renewal
  #recording: AnswerRecording | null = null

  constructor(renewal: Renewal) {
    this.#renewal = renewal
  }

  get path(): string {
    return this.#renewal.path
  }

  get fields(): readonly string[] {
    return this.#renewal.fields
  }

  get timeoutMs(): number {
    return this.#renewal.timeoutMs
  }

  handleStart(): boolean {
    return true
  }

  handleHead(head: AnswerHead): void {
    const { cache, request, stale } = this.#renewal
    const headers = allFields(head)
    const fields = joinedFields(answerFields(headers, head.status))
    if (head.status === 304) cache.refresh(request, stale, fields)
    else
      this.#recording =
        cache.record(
          request,
          { status: head.status, fields },
          head.length !== -1 || head.isChunked,
        ) ?? null
  }

  handleData(bytes: Buffer, start: number, end: number): void {
    this.#recording?.append(Buffer.from(bytes.subarray(start, end)))
  }

  handleEnd(): void {
    this.#recording?.finish()
    this.#renewal.done()
  }

  handleFailure(): void {
    this.#recording?.abandon()
    this.#renewal.done()
  }

  handleFault(): void {
    this.handleFailure()
  }
}
