import { z } from 'zod'
import { idMax, strictFields } from './fields.ts'
import { protocols, statuses } from '../apis/api-fields.ts'
import { tagFilter, tagList } from '../apis/tags.ts'
import { methods } from '../endpoints/endpoint-methods.ts'

// One change of several records. Each is changed or says why not; the others are changed all the same.

/** The most records of one call. */
const bulkMax = 100

export const bulkIds = z
  .array(z.number().int().positive().max(idMax), { error: 'Choose rows from the list.' })
  .min(1, { error: 'Choose at least one row.' })
  .max(bulkMax, { error: `Choose at most ${bulkMax} rows.` })
  .transform((ids) => [...new Set(ids)])

const bulkActions = ['enable', 'disable', 'delete', 'tag'] as const
/** `require_token`: what _Enable Authentication_ of each form does. */
const endpointBulkActions = [...bulkActions, 'require_token'] as const
export type EndpointBulkAction = (typeof endpointBulkActions)[number]

/** Goes on after this record: the `next_after` of the answer before. */
export const bulkAfter = z.number().int().min(0).max(idMax).default(0)

/** The search of a list, as its query has it. */
const search = z.string().trim().max(200).default('')

/** What the list of APIs is narrowed down to. */
export const apiFilter = strictFields({
  search,
  gateway_status: z.enum(statuses).optional(),
  api_protocol: z.enum(protocols).optional(),
  tag: tagFilter,
})

/** What the list of endpoints is narrowed down to. */
export const endpointFilter = strictFields({
  search,
  status: z.enum(statuses).optional(),
  method_type: z.enum(methods).optional(),
  api_id: z.number().int().positive().max(idMax).optional(),
  tag: tagFilter,
})

/** For calls that take either records by their ids, under `name`, or all that a filter finds. */
export const eitherOf = (
  name: string,
): [(body: Record<string, unknown>) => boolean, { path: string[]; error: string }] => [
  (body) => (body[name] === undefined) !== (body['filter'] === undefined),
  { path: [name], error: 'Choose rows, or name a filter: one of both.' },
]

const changeBy = <const A extends readonly [string, ...string[]], F extends z.ZodType>(
  actions: A,
  filter: F,
) =>
  z
    .object({
      action: z.enum(actions, { error: `The action must be one of: ${actions.join(', ')}.` }),
      ids: bulkIds.optional(),
      /** Given instead of ids: all that the list has with it, some at a call. */
      filter: filter.optional(),
      after: bulkAfter,
      /** For the action `tag`. */
      add_tags: tagList.default([]),
      remove_tags: tagList.default([]),
    })
    .refine(...eitherOf('ids'))
    .refine(
      ({ action, add_tags, remove_tags }) =>
        action !== 'tag' || add_tags.length + remove_tags.length > 0,
      { path: ['add_tags'], error: 'Name a tag to add or to remove.' },
    )

export const bulkChange = changeBy(bulkActions, apiFilter)
export type BulkChange = z.output<typeof bulkChange>

export const endpointBulkChange = changeBy(endpointBulkActions, endpointFilter)
export type EndpointBulkChange = z.output<typeof endpointBulkChange>

const bulkOutcome = z.object({
  id: z.number().int(),
  /** Blank where there is no such record. */
  name: z.string(),
  /** `unchanged`: it already was so. */
  outcome: z.enum(['done', 'unchanged', 'refused']),
  /** Why it was refused. */
  message: z.string().nullable(),
})
export type BulkOutcome = z.output<typeof bulkOutcome>

export const bulkAnswer = z.object({
  results: z.array(bulkOutcome),
  /** Some that the filter finds are left: send the same again with this as `after`. Null: all were tried. */
  next_after: z.number().int().nullable(),
})
export type BulkAnswer = z.output<typeof bulkAnswer>
