import { z } from 'zod'
import { methods } from './endpoints.ts'
import { isId, strictFields, text } from './kernel/fields.ts'
import { defineRoute } from './kernel/route.ts'

export const runKinds = ['build', 'tax', 'credit'] as const
export type RunKind = (typeof runKinds)[number]

/** States of a step (spec: outcomes): `unknown` means sent, but nobody knows what became of it. */
export const stepStates = [
  'waiting',
  'sending',
  'succeeded',
  'rejected',
  'blocked',
  'unknown',
  // A dry run: resolved and checked, but not sent.
  'would_send',
] as const
export type StepState = (typeof stepStates)[number]

/**
 * A run's state is that of the step that decides it; `running` while one is under way. Where that
 * step was not started, `not_started` says that none was, and `stopped` that earlier ones succeeded.
 */
export const runStates = [
  'running',
  'succeeded',
  'not_started',
  'stopped',
  'rejected',
  'blocked',
  'unknown',
] as const
export type RunState = (typeof runStates)[number]

/** What was seen of one attempt (spec: outcomes). */
export const outcomes = [
  'ok',
  'ok_duplicate',
  'duplicate',
  'rejected',
  'auth',
  'throttled',
  'not_sent',
  'cut',
  'timeout',
  'server_error',
  'crash',
] as const
export type Outcome = (typeof outcomes)[number]

/** What an attempt is: sent, sent again with the same bytes, asked about, settled by a person, or an answer that was late. */
export const attemptKinds = [
  'send',
  'resend',
  'status_query',
  'resolved_received',
  'resolved_not_received',
  // What was seen of an earlier attempt, and reached the ledger only after that was closed.
  'late_answer',
] as const
export type AttemptKind = (typeof attemptKinds)[number]

/** Effect of a step: decides whether an attempt without an answer may be repeated. */
export const effects = ['read', 'idempotent', 'submit'] as const
export type Effect = (typeof effects)[number]

export const runSummary = z.object({
  id: z.number().int(),
  state: z.enum(runStates),
  kind: z.enum(runKinds),
  is_test: z.boolean(),
  /** A test invoice without a test base URL: what changes something is not sent. */
  is_dry_run: z.boolean(),
  steps: z.array(
    z.object({
      position: z.number().int(),
      endpoint_id: z.number().int().nullable(),
      endpoint_name: z.string(),
      method: z.string(),
      state: z.enum(stepStates),
      /** Of the latest attempt. */
      outcome: z.enum(outcomes).nullable(),
      status: z.number().int().nullable(),
      duration_ms: z.number().nullable(),
      /** Why the step is where it is, in words; null where there is nothing to say. */
      message: z.string().nullable(),
    }),
  ),
})
export type RunSummary = z.output<typeof runSummary>

/** Limits of a build request (spec: mapping): 5 MiB in and out. */
export const exchangeMaxBytes = 5 * 1024 * 1024

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

export const token = z
  .union([z.string(), z.null()], { error: 'The token must be text.' })
  .optional()
  .transform((value) => (value ?? '').trim())
  .refine((value) => value.length <= 8192, {
    error: 'The token may not be longer than 8192 characters.',
  })
  .refine((value) => /^[\x21-\x7e]*$/.test(value), {
    error: 'The token may only contain visible ASCII characters.',
  })
  // No bearer token holds braces (RFC 6750 §2.1), so this is a value that somebody meant to fill in.
  .refine((value) => !value.includes('{{'), {
    error: 'A token takes no placeholders: what is typed here is sent as it is. Type the token.',
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

export const buildRequestForm = defineRoute({
  method: 'GET',
  path: '/api/buildRequest',
  access: 'request.view',
  tag: 'Build Request',
  summary: 'Active endpoints that the caller has access to',
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
  }),
  hasExactNumbers: true,
  response: z.object({ message: z.string(), data: z.unknown(), run: runSummary }),
})
