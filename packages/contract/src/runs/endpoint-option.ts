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
  api: z.object({ id: z.number().int(), name: z.string() }),
})
export type EndpointOption = z.output<typeof endpointOption>
