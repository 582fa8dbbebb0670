import { z } from 'zod'
import { conditionTests } from './answer-rule.ts'
import type { WireMethod } from './endpoint-methods.ts'

/**
 * What an effect holds that follows the method: GET and HEAD read, PUT and DELETE idempotent, POST and
 * PATCH submit.
 */
export const effectChoices = ['', 'read', 'idempotent', 'submit'] as const
export const runProfileNames = [
  '',
  'generic',
  'zatca-clearance',
  'zatca-reporting',
  'jofotara',
] as const
export type RunProfileName = (typeof runProfileNames)[number]

const rule = z.object({
  statuses: z.string(),
  join: z.enum(['all', 'any']),
  conditions: z.array(
    z.object({ path: z.string(), test: z.enum(conditionTests), value: z.string() }),
  ),
})

/** How runs treat an endpoint (docs/run-settings.md), as it is stored and shown. */
export const runSettingsRecord = z.object({
  /** The profile that filled the rest; a name, without effect of its own. */
  profile: z.enum(runProfileNames),
  effect: z.enum(effectChoices),
  /** Which 2xx is a success; null: every one but 208. */
  success_rule: rule.nullable(),
  /**
   * Which 2xx is a refusal. Null: every one that the success rule does not fit. With a rule here, a
   * 2xx that fits neither is unknown. Counts for a 3xx too, where its statuses name it.
   */
  rejection_rule: rule.nullable(),
  /** Which answer below 500 says "I already have this"; null: 208. */
  duplicate_rule: rule.nullable(),
  /** True where the same bytes may be sent again without a second effect. */
  is_duplicate_safe: z.boolean(),
  /** For how long after the first attempt; null: always. */
  duplicate_safe_hours: z.number().int().nullable(),
  /** Asks the authority what became of a document. `parameter` carries the document's reference. */
  status_query: z
    .object({
      endpoint_id: z.number().int(),
      parameter: z.string(),
      received: rule,
      not_received: rule,
      /** Of the authority's reference in the answer. */
      reference_path: z.string(),
      /**
       * Seconds after the last attempt that may have arrived in which "not received" settles nothing:
       * the authority may still be working on the document. From 1 to 86,400.
       */
      quiet_seconds: z.number().int(),
    })
    .nullable(),
  /** Header that carries the step's UUID; blank: none. */
  idempotency_header: z.string(),
  /** Media type of the bodies of POST, PUT and PATCH; blank: application/json. Others than JSON are text. */
  content_type: z.string(),
  /** Document reference in the request's body; blank: the endpoint takes no documents. */
  reference_path: z.string(),
  /** In a credit: the reference of the document that is credited, in the request's body. */
  original_reference_path: z.string(),
  /** In the answer. */
  authority_reference_path: z.string(),
  qr_path: z.string(),
})
export type RunSettings = z.output<typeof runSettingsRecord>
export type StatusQuery = NonNullable<RunSettings['status_query']>

/** What a step of an endpoint does: as its settings say, else as its method does (docs/runs.md). */
export function effectOf(settings: Pick<RunSettings, 'effect'>, method: WireMethod) {
  const byMethod = {
    GET: 'read',
    HEAD: 'read',
    PUT: 'idempotent',
    DELETE: 'idempotent',
    POST: 'submit',
    PATCH: 'submit',
  } as const
  return settings.effect === '' ? byMethod[method] : settings.effect
}
