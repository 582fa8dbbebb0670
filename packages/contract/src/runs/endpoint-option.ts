import { z } from 'zod'
import { methods } from '../endpoints/endpoint-methods.ts'
import { isId } from '../kernel/fields.ts'
import { wholeNumber } from '../kernel/paging.ts'
import { effects } from './run-summary.ts'

/** A choice list shows at most this many endpoints; a search finds the others. */
const endpointOptionsMax = 1000

/** Which of the endpoints that a caller may call a form offers. */
export const endpointOptionQuery = z.object({
  /** Each word is in the summary, the description, the method, the path or the name of the API. */
  search: z.string().trim().max(200).default(''),
  /** Just these, by comma. */
  ids: z
    .string()
    .max(200)
    .default('')
    .transform((ids) => (ids === '' ? undefined : ids.split(',').map(Number)))
    .refine((ids) => ids === undefined || ids.every((id) => isId(id)), {
      error: 'Name endpoints by their ids, with commas between.',
    }),
  /** `read`: just those that Get may call. */
  effect: z.enum(['read', '']).default(''),
  limit: wholeNumber('limit', endpointOptionsMax, endpointOptionsMax),
})
export type EndpointOptionQuery = z.output<typeof endpointOptionQuery>

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
