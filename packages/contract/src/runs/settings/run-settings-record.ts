import { z } from 'zod'
import { conditionTests } from '../../endpoints/answer-rule.ts'
import type { WireMethod } from '../../endpoints/endpoint-methods.ts'

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
  'myinvois',
  'eta',
  'oscu',
  'firs',
  'irn',
  'verifactu',
  'cfdi',
  'zoho-books',
  'netsuite',
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
/** `ask` settles by what the authority says; `ask_and_send` also sends what was certainly not received. */
export const healingModes = ['off', 'ask', 'ask_and_send'] as const
export type HealingMode = (typeof healingModes)[number]
export const healingChoices = ['', ...healingModes] as const

export const runSettingsRecord = z.object({
  /** The profile that filled the rest; a name, without effect of its own. */
  profile: z.enum(runProfileNames),
  effect: z.enum(effectChoices),
  /** Which 2xx is a success; null: every one but 208. */
  success_rule: rule.nullable(),
  /**
   * Which 2xx is a refusal. Null: every one that the success rule does not fit. With a rule here, a
   * 2xx that fits neither is unknown. Counts for a 3xx too, where its statuses name it; one that they
   * name alone is a refusal without a readable body as well.
   */
  rejection_rule: rule.nullable(),
  /** Which answer below 500 says "I already have this"; null: 208. */
  duplicate_rule: rule.nullable(),
  /** True where the same bytes may be sent again without a second effect. */
  is_duplicate_safe: z.boolean(),
  /** For how long after the first attempt; null: always. */
  duplicate_safe_minutes: z.number().int().nullable(),
  /**
   * What is done without a person about an unknown step of a run that a machine started (docs/runs/unclear.md). Blank: it
   * is asked about where there is a status query.
   */
  healing: z.enum(healingChoices),
  /** For how long after the outcome became unknown; null: a day. */
  healing_hours: z.number().int().nullable(),
  /** Asks the authority what became of a document. `parameter` carries the document's reference. */
  status_query: z
    .object({
      endpoint_id: z.number().int(),
      parameter: z.string(),
      /**
       * Carries a document's own number instead, where the authority's to ask by is not known: its answer was lost.
       * Absent: it can't be asked then.
       */
      reference_parameter: z.string().optional(),
      received: rule,
      not_received: rule,
      /** Says that the authority has not decided yet; null: no answer says so. */
      pending: rule.nullable(),
      /** Says that the authority has refused the document; null: no answer says so. */
      rejected: rule.nullable(),
      /** Of the authority's messages in an answer that says rejected. */
      message_path: z.string(),
      /** Of the authority's reference in the answer. */
      reference_path: z.string(),
      /**
       * Seconds after the last attempt that may have arrived in which "not received" settles nothing:
       * the authority may still be working on the document. From 1 to 86,400.
       */
      quiet_seconds: z.number().int(),
    })
    .nullable(),
  /**
   * The 2xx that means "taken, decided later", and when the status query is asked for the decision.
   * Null: no answer means that.
   */
  pending: z
    .object({
      rule,
      /** In that answer: the value to ask by. Blank: the document's reference. */
      parameter_path: z.string(),
      first_after_seconds: z.number().int(),
      /** Each wait is that many times the one before it. */
      factor: z.number(),
      max_every_seconds: z.number().int(),
      /** After this time the outcome is unknown. */
      give_up_minutes: z.number().int(),
    })
    .nullable(),
  /** Several documents in one request, each with its own outcome. Null: a request carries one at most. */
  documents: z
    .object({
      /** The list in the request's body, and inside an item of it the references. */
      items_path: z.string(),
      reference_path: z.string(),
      original_reference_path: z.string(),
      /** Lists in the answer; blank: none. Their elements name documents. */
      accepted_path: z.string(),
      rejected_path: z.string(),
      /** Inside an element of these lists; blank: the element is the reference. */
      answer_reference_path: z.string(),
      authority_reference_path: z.string(),
      message_path: z.string(),
      /**
       * Which rejected element, of the answer or of the status query, says that the authority has the document
       * already; null: none does. Absent in settings that were stored before there was this rule.
       */
      duplicate: rule.nullable().optional(),
      /** The list in the answer of the status query, where the authority decides later. */
      poll: z
        .object({
          list_path: z.string(),
          reference_path: z.string(),
          accepted: rule.nullable(),
          rejected: rule.nullable(),
          authority_reference_path: z.string(),
          qr_path: z.string(),
          message_path: z.string(),
          /**
           * How further pages are asked for until every document is found: a query parameter with the number of the
           * page, or with the cursor at `next_path`; or the address at `next_path`, or in the Link header.
           */
          page_parameter: z.string().optional(),
          next_path: z.string().optional(),
        })
        .nullable(),
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
  /** In any answer: paths, by comma, of the authority's words: reasons and warnings. Blank: none are shown. */
  message_path: z.string(),
  /** In the answer. Where it finds nothing, the last part of the Location header of a success counts. */
  authority_reference_path: z.string(),
  qr_path: z.string(),
  /** In an answer that asks to wait: seconds, or a moment. Blank: only Retry-After says so. */
  wait_path: z.string(),
})
export type RunSettings = z.output<typeof runSettingsRecord>
export type StatusQuery = NonNullable<RunSettings['status_query']>
export type DocumentListSettings = NonNullable<RunSettings['documents']>
export type PendingSettings = NonNullable<RunSettings['pending']>

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

/**
 * How the decision is asked for where an authority decides later. The endpoint that is asked is known to
 * the installation only.
 */
export interface DecidedLater {
  status_query: Omit<StatusQuery, 'endpoint_id'>
  pending: PendingSettings
}
