import { z } from 'zod'
import { optionalInteger, strictFields } from '../kernel/fields.ts'
import { requiredInteger, requiredSize } from '../apis/policy/traffic-policy-fields.ts'

/** How an endpoint lets WebSockets through; numbers and the size as they are, or as typed. */
export const endpointWebSocket = strictFields({
  /** No byte either way for so long closes it. */
  idle_seconds: requiredInteger('idle time', 5, 86_400),
  /** Null: it may stay open for as long as it is used. */
  life_seconds: optionalInteger('longest life', 10, 604_800),
  /** Of one message, over all of its frames, as it comes over the wire. */
  max_message_bytes: requiredSize('largest message', 1_024, 268_435_456, '1 KiB to 256 MiB'),
})
type EndpointWebSocket = z.output<typeof endpointWebSocket>

/** The same as it is stored, shown and published. */
export const storedWebSocket = z.object({
  idle_seconds: z.number().int().positive(),
  life_seconds: z.number().int().positive().nullable(),
  max_message_bytes: z.number().int().positive(),
}) satisfies z.ZodType<EndpointWebSocket>
