import { z } from 'zod'
import { wireMethodNames } from '../endpoints/endpoint-methods.ts'
import { confirmHeld, flag, strictFields } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'
import { endpointOption, endpointOptionQuery } from './endpoint-option.ts'
import { effects, runAnswer, stepHead } from './run-summary.ts'
import { dependencyField, optionalEndpoint, stepBody, token } from './step-fields.ts'

/** What the dependency field of step 2 is prefilled with (spec: limits). */
export const dependencyFieldDefault = 'id,title'

const bundleEndpointFields = {
  end_point: optionalEndpoint,
  body: stepBody,
  token,
  /** The same on every endpoint of the bundle, or a 422. */
  test_invoice: flag,
}

const bundleEndpoint = strictFields(bundleEndpointFields)

const taxEndpoint2 = strictFields({
  ...bundleEndpointFields,
  /** Blank means that step 2 depends on nothing, unless `is_dependent` says that it does. */
  dependency_field: dependencyField,
  /** “Dependent on the previous API”: a blank dependency field is then a 422. */
  is_dependent: flag,
})

/** Where an outcome stays unknown, healing asks the status query of the endpoint (spec: healing). */
const heal = flag

const none = { end_point: null, body: '', token: '', test_invoice: false }

/**
 * A bundle: step 1 is required; what is left blank ends it, and a gap is a 422. So is a field that is
 * not known, in the bundle or in one of its endpoints.
 */
const taxBundle = strictFields({
  endpoint_1: bundleEndpoint.default(none),
  endpoint_2: taxEndpoint2.default({ ...none, dependency_field: '', is_dependent: false }),
  endpoint_3: bundleEndpoint.default(none),
  endpoint_4: bundleEndpoint.default(none),
  heal,
  confirm_held: confirmHeld,
})
export type TaxBundle = z.output<typeof taxBundle>

const creditBundle = strictFields({
  endpoint_1: bundleEndpoint.default(none),
  endpoint_2: bundleEndpoint.default(none),
  endpoint_3: bundleEndpoint.default(none),
  heal,
  confirm_held: confirmHeld,
})
export type CreditBundle = z.output<typeof creditBundle>

export const taxForm = defineRoute({
  method: 'GET',
  path: '/api/tax',
  access: 'tax.view',
  tag: 'Tax and credit',
  summary: 'Active endpoints that the caller has access to, for a tax bundle',
  query: endpointOptionQuery,
  response: z.tuple([z.array(endpointOption)]),
})

export const creditForm = defineRoute({
  method: 'GET',
  path: '/api/credit/tax',
  access: 'credit.view',
  tag: 'Tax and credit',
  summary: 'Active endpoints that the caller has access to, for a credit bundle',
  query: endpointOptionQuery,
  response: z.tuple([z.array(endpointOption)]),
})

const bundleBytes = 12 * 1024 * 1024

/**
 * Header `Idempotency-Key`: same key and same content answer with the run there is
 * (`Idempotent-Replay: true`); 409 while it goes on; 422 for other content. Without one the content
 * is the key. A `test_invoice` also needs `tax.test`, in a credit bundle too.
 */
export const sendTax = defineRoute({
  method: 'POST',
  path: '/api/tax',
  access: 'tax.send',
  tag: 'Tax and credit',
  summary: 'Send a tax bundle: up to four endpoints, one after the other',
  bodyLimitBytes: bundleBytes,
  body: taxBundle,
  alsoStatus: 202,
  response: runAnswer,
})

export const sendCredit = defineRoute({
  method: 'POST',
  path: '/api/credit/tax',
  access: 'credit.send',
  tag: 'Tax and credit',
  summary: 'Send a credit bundle: up to three endpoints, one after the other',
  bodyLimitBytes: bundleBytes,
  body: creditBundle,
  alsoStatus: 202,
  response: runAnswer,
})

/** A place in a body that deserves a look before it is sent. */
export const previewMark = z.object({
  /** Mapping path into the body. */
  path: z.string(),
  /** `empty`: blank, null or nothing inside. The others: beside the last accepted request. */
  kind: z.enum(['empty', 'changed', 'added', 'removed']),
  /** As JSON text, at most 200 characters; null where there is none. */
  before: z.string().nullable(),
  now: z.string().nullable(),
})

const previewStep = stepHead.omit({ state: true }).extend({
  endpoint_id: z.number().int(),
  method: z.enum(wireMethodNames),
  effect: z.enum(effects),
  /** False in a dry run for what would be sent only. */
  is_sent: z.boolean(),
  /** Null where it is known only once earlier steps have answered. */
  url: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  /** The bytes that would go out; as typed where `takes` is not empty. */
  body: z.string().nullable(),
  /** What it takes from earlier answers: placeholders and dependency fields. */
  takes: z.array(z.string()),
  /** The last request of this endpoint that was accepted, which `marks` compare with. */
  last_accepted: z.object({ run_id: z.number().int(), at: z.string() }).nullable(),
  /** At most 200. */
  marks: z.array(previewMark),
})
export type PreviewStep = z.output<typeof previewStep>

const bundlePreview = z.object({
  is_test: z.boolean(),
  /** True where a test invoice has no test base URL: what changes something is not sent. */
  is_dry_run: z.boolean(),
  steps: z.array(previewStep),
})
export type BundlePreview = z.output<typeof bundlePreview>

/** Refuses what sending would refuse, under the same fields; sends nothing and keeps nothing. */
export const previewTax = defineRoute({
  method: 'POST',
  path: '/api/tax/preview',
  access: 'tax.send',
  tag: 'Tax and credit',
  summary: 'What a tax bundle would send, without sending it',
  bodyLimitBytes: bundleBytes,
  body: taxBundle,
  response: bundlePreview,
})

export const previewCredit = defineRoute({
  method: 'POST',
  path: '/api/credit/tax/preview',
  access: 'credit.send',
  tag: 'Tax and credit',
  summary: 'What a credit bundle would send, without sending it',
  bodyLimitBytes: bundleBytes,
  body: creditBundle,
  response: bundlePreview,
})
