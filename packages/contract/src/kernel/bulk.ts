import { z } from 'zod'
import { idMax } from './fields.ts'
import { tagList } from '../apis/tags.ts'

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

const changeBy = <const A extends readonly [string, ...string[]]>(actions: A) =>
  z
    .object({
      action: z.enum(actions, { error: `The action must be one of: ${actions.join(', ')}.` }),
      ids: bulkIds,
      /** For the action `tag`. */
      add_tags: tagList.default([]),
      remove_tags: tagList.default([]),
    })
    .refine(
      ({ action, add_tags, remove_tags }) =>
        action !== 'tag' || add_tags.length + remove_tags.length > 0,
      { path: ['add_tags'], error: 'Name a tag to add or to remove.' },
    )

export const bulkChange = changeBy(bulkActions)
export type BulkChange = z.output<typeof bulkChange>

export const endpointBulkChange = changeBy(endpointBulkActions)
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

export const bulkAnswer = z.object({ results: z.array(bulkOutcome) })
