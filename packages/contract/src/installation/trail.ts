import { z } from 'zod'
import { defineRoute } from '../kernel/route.ts'

/** Where an event of a trail was found. */
export const trailSources = [
  'gateway',
  'admin_log',
  'run_log',
  'run',
  'attempt',
  'delivery',
  'document',
  'audit',
  'token',
] as const
export type TrailSource = (typeof trailSources)[number]

const trailEvent = z.object({
  at: z.string(),
  source: z.enum(trailSources),
  /** What happened: `POST /orders`, a reference, an action of the audit trail, a line of a log. */
  text: z.string(),
  /** A status, a state or an outcome; blank where there is none. */
  outcome: z.string(),
  /** Blank where there is none. */
  request_id: z.string(),
  /** Of the run, delivery, document or token; null elsewhere. */
  id: z.number().int().nullable(),
  /** Where its line is in the Log Viewer; null elsewhere. */
  line: z.object({ file: z.string(), entry: z.number().int() }).nullable(),
})
export type TrailEvent = z.output<typeof trailEvent>

/** What is looked for, as it was recognised. */
const trailSubject = z.object({
  kind: z.enum(['request', 'reference', 'token']),
  name: z.string(),
})

/**
 * Everything that is known about a request id, a reference or a token’s name, from the lists that the caller may
 * see. Logs are those of the server that answers, and of gateways that run alone; of each source the newest.
 */
export const findTrail = defineRoute({
  method: 'GET',
  path: '/api/search/trail',
  access: 'session',
  tag: 'Search',
  summary:
    'What happened, in order, about a request id, a reference or the name of a personal token',
  query: z.object({ q: z.string().trim().max(200).default('') }),
  response: z.object({
    /** What `q` is; none: nothing is called so. */
    subjects: z.array(trailSubject),
    /** The oldest first, 300 at most. */
    events: z.array(trailEvent),
    /** There are more in one of the sources. */
    has_more: z.boolean(),
    /** Sources that the caller may not see, or that did not answer. */
    left_out: z.array(z.enum(trailSources)),
  }),
})
