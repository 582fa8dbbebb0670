import { hostname } from 'node:os'
import type { OtlpSpan } from './otlp-span.ts'

/** Where spans go. */
export interface SpanSettings {
  /** Takes OTLP over HTTP in JSON: `…/v1/traces`. */
  url: string
  headers: Record<string, string>
  serviceName: string
  /** Of the traces that begin here, how many are sampled: 0 to 1. */
  ratio: number
}

const sendMs = 10_000

/** Sends spans to a collector (OTLP over HTTP, JSON). It tries once, for 10 s at most. */
export class OtlpSender {
  readonly #settings: Pick<SpanSettings, 'url' | 'headers'>
  readonly #scope: string
  readonly #resource: object

  /** `scope`: what of the product makes the spans. */
  constructor(settings: SpanSettings, scope: string) {
    this.#settings = settings
    this.#scope = scope
    const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })
    this.#resource = {
      attributes: [
        attribute('service.name', settings.serviceName),
        attribute('host.name', hostname()),
        attribute('service.instance.id', `${hostname()}:${process.pid}`),
      ],
    }
  }

  /** Never throws. Returns why the spans were lost; undefined: the collector has taken them. */
  async send(spans: readonly OtlpSpan[]): Promise<string | undefined> {
    const { url, headers } = this.#settings
    const scopeSpans = [{ scope: { name: this.#scope }, spans }]
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource: this.#resource, scopeSpans }] }),
        redirect: 'error',
        signal: AbortSignal.timeout(sendMs),
      })
      await answer.body?.cancel()
      return answer.ok ? undefined : `the collector answered ${answer.status}`
    } catch (error) {
      return (error as Error).message
    }
  }
}
