import { z } from 'zod'
import { exchangeMaxBytes } from '../endpoints/body-format.ts'
import { confirmHeld, isId, strictFields, text } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'
import { endpointOption, endpointOptionQuery } from './endpoint-option.ts'
import { runSummary } from './run-summary.ts'
import { token } from './step-fields.ts'

export { exchangeMaxBytes }

const endpointChoice = z
  .union([z.number(), z.string(), z.null()], { error: 'Choose an endpoint.' })
  .optional()
  .refine((value) => value !== undefined && value !== null && value !== '', {
    error: 'Choose an endpoint.',
  })
  .transform(Number)
  .refine((value) => isId(value), {
    error: 'Choose an endpoint from the list.',
  })

const jsonText = (label: string) =>
  z
    .union([z.string(), z.null()], { error: `The ${label} must be JSON text.` })
    .optional()
    .transform((value) => value ?? '')
    .refine((value) => value.length <= exchangeMaxBytes, {
      error: `The ${label} may not be longer than 5 MiB.`,
    })

/** A body that travels in a query string has to fit into a request line. */
const queryBody = text(16_384, 'body', { isMultiline: true })

export const buildRequestForm = defineRoute({
  method: 'GET',
  path: '/api/buildRequest',
  access: 'request.view',
  tag: 'Build Request',
  summary: 'Active endpoints that the caller has access to',
  query: endpointOptionQuery,
  response: z.tuple([z.array(endpointOption)]),
})

/** Calls endpoints whose effect is to read, and refuses all others (422): a GET must change nothing. */
export const getData = defineRoute({
  method: 'GET',
  path: '/admin/get-data',
  access: 'request.fetch',
  tag: 'Build Request',
  summary: 'Fetch from an endpoint that only reads',
  query: z.object({ end_point: endpointChoice, body: queryBody, token }),
  /** `data` is the upstream's JSON with its numbers exact: read it with a lossless parser. */
  hasExactNumbers: true,
  response: z.object({ message: z.string(), data: z.unknown(), run: runSummary }),
})

export const prepareData = defineRoute({
  method: 'POST',
  path: '/api/prepare-data',
  access: 'request.send',
  tag: 'Build Request',
  summary: 'Map fetched data, or take a finished body, and send it to an endpoint',
  bodyLimitBytes: 12 * 1024 * 1024,
  body: strictFields({
    end_point: endpointChoice,
    /** The fetched JSON as text. */
    first_endpoint: jsonText('first endpoint'),
    /** Mapping rows or a finished body, as JSON text; told apart by shape (spec: prepare-data). */
    second_endpoint: jsonText('second endpoint'),
    token,
    confirm_held: confirmHeld,
  }),
  hasExactNumbers: true,
  alsoStatus: 202,
  response: z.object({ message: z.string(), data: z.unknown(), run: runSummary }),
})
