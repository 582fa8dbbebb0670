import { z } from 'zod'
import { idMax, strictFields, text } from '../kernel/fields.ts'

/** Where a list is fetched: an endpoint that only reads. */
export const listSource = strictFields({
  endpoint_id: z
    .number({ error: 'Choose an endpoint.' })
    .int()
    .positive({ error: 'Choose an endpoint.' })
    .max(idMax),
  /** The body, or the query of a GET as JSON, with placeholders such as `{{watermark}}`. */
  request: z
    .string()
    .max(20_000, { error: 'The request may not be longer than 20,000 characters.' })
    .default(''),
  /** Blank: the answer itself is the list. */
  items_path: text(256, 'list path'),
})
