import { z } from 'zod'
import { bulkAnswer, bulkIds } from '../kernel/bulk.ts'
import { defineRoute } from '../kernel/route.ts'

/** Things whose deletion can be undone. */
export const undoableThings = ['api', 'endpoint', 'role'] as const
export type UndoableThing = (typeof undoableThings)[number]

/** The dashboard offers it for 10 seconds; the rest is for a slow connection. Then the server forgets the record. */
export const undoSeconds = 60

export const undoDeletion = defineRoute({
  method: 'POST',
  path: '/api/deletions/undo',
  access: 'session',
  tag: 'Audit trail',
  summary:
    'Bring back APIs, endpoints or roles that the caller has deleted within the last minute (needs the delete permission of the thing)',
  body: z.object({
    thing: z.enum(undoableThings, {
      error: `The thing must be one of: ${undoableThings.join(', ')}.`,
    }),
    ids: bulkIds,
  }),
  response: bulkAnswer.pick({ results: true }),
})
