import type { OtlpSpan } from '@gatehouse/logging/spans'
import { startUpstream } from './hostile-upstream.ts'

/** A collector that takes spans by OTLP over HTTP in JSON, and keeps them. `status`: what it answers. */
export async function startCollector(status = () => 200) {
  const receiver = await startUpstream((_, response) => void response.writeHead(status()).end('{}'))
  const spans = () =>
    receiver.received.flatMap(({ body }) => {
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[]
      }
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans))
    })
  const { url, received, close } = receiver
  return { url, received, close, spans, environment: { OTEL_EXPORTER_OTLP_ENDPOINT: url } }
}

/** The attributes of a span by their names. */
export const valuesOf = ({ attributes }: OtlpSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** The spans below one another, as names: `run flow-1 > step 1 … > POST /…`. */
export function treeOf(spans: readonly OtlpSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const pathOf = (span: OtlpSpan): string => {
    const parent = byId.get(span.parentSpanId ?? '')
    return parent ? `${pathOf(parent)} > ${span.name}` : span.name
  }
  return spans.map(pathOf)
}
