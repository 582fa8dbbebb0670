// OTLP 1.x in its JSON form: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding.
// Names of attributes follow the semantic conventions of OpenTelemetry where one fits.

/** What a span was: work of our own, a request that was answered, a call that was made. */
export const spanKinds = { internal: 1, server: 2, client: 3 } as const

export const spanError = 2

type Value = { stringValue: string } | { intValue: string }

interface Attribute {
  key: string
  value: Value
}

/** A span as OTLP has it. */
export interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status?: { code: number; message?: string }
}

/** Attributes of a span; what is null or blank is left out. */
export function attributesOf(values: Record<string, string | number | null>): Attribute[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === null || value === '') return []
    const typed = typeof value === 'number' ? { intValue: String(value) } : { stringValue: value }
    return [{ key, value: typed }]
  })
}
