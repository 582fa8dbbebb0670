import {
  OtlpSender,
  readTraceparent,
  type OtlpSpan,
  type SpanSettings,
} from '@gatehouse/logging/spans'
import type { AccountedRequest } from '../account/accounted-request.ts'
import { otlpSpans } from './otlp-spans.ts'
import { RequestSpan } from './request-span.ts'

/** Spans that wait for a collector that is slow or away. What comes beyond is dropped and counted. */
const waitingMax = 8_192
const sentAtOnce = 1_024

/**
 * Makes the spans of requests, and sends those that are sampled to a collector (OTLP over HTTP, JSON),
 * once a second. A collector that fails costs no request anything: its spans are lost.
 */
export class SpanExporter {
  readonly #settings: SpanSettings
  readonly #onLoss: (lost: number, reason: string) => void
  readonly #sender: OtlpSender
  #waiting: OtlpSpan[] = []
  #lost = 0
  #sending: Promise<void> | null = null

  /** `onLoss`: as often as a flush has lost spans. */
  constructor(settings: SpanSettings, onLoss: (lost: number, reason: string) => void) {
    this.#settings = settings
    this.#onLoss = onLoss
    this.#sender = new OtlpSender(settings, 'gatehouse.gateway')
  }

  /**
   * The span of a request that begins. A caller within our networks decides whether it is sampled;
   * one outside of them, or none, leaves it to chance.
   */
  begin(header: string, isFromInside: boolean): RequestSpan {
    const parent = header === '' ? null : readTraceparent(header)
    const isSampled =
      parent !== null && isFromInside ? parent.isSampled : Math.random() < this.#settings.ratio
    return new RequestSpan(parent, isSampled)
  }

  /** The request has ended. */
  add(request: AccountedRequest, span: RequestSpan): void {
    if (!span.isSampled) return
    if (this.#waiting.length >= waitingMax) this.#lost++
    else this.#waiting.push(...otlpSpans(request, span))
  }

  /** Sends what is there. Resolves once all of it was sent or lost. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) await (this.#sending ??= this.#sendSome())
    if (this.#lost === 0) return
    this.#onLoss(this.#lost, 'more spans are made than the collector takes')
    this.#lost = 0
  }

  async #sendSome(): Promise<void> {
    const spans = this.#waiting.splice(0, sentAtOnce)
    const failure = await this.#sender.send(spans)
    this.#sending = null
    if (failure !== undefined) this.#onLoss(spans.length, failure)
  }
}
