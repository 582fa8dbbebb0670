import { z } from 'zod'
import { methods } from '../endpoint-methods.ts'
import { effects } from './run-summary.ts'

export const endpointOption = z.object({
  id: z.number().int(),
  summery: z.string(),
  description: z.string(),
  method_type: z.enum(methods),
  path: z.string(),
  /** As its run settings say, else as its method does. Get calls nothing but what reads. */
  effect: z.enum(effects),
  /** Of bodies that are text and sent as typed, like `application/xml`; null where they are JSON. */
  text_content_type: z.string().nullable(),
  api: z.object({ id: z.number().int(), name: z.string() }),
})
export type EndpointOption = z.output<typeof endpointOption>
