import { z } from 'zod'
import { text, strictFields } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { laneSettings } from './workflow-fields.ts'

/**
 * `idle`: nothing is queued. `working`: runs are under way or about to be. `waiting`: for a rate limit or
 * the next try. `outage`: five tries in a row did not reach the authority; one run at a time is let
 * through. `paused`: nothing is started. `draining`: no new run is taken; what is queued is carried out.
 */
export const laneStates = ['idle', 'working', 'waiting', 'outage', 'paused', 'draining'] as const
export type LaneState = (typeof laneStates)[number]

const laneRecord = laneSettings.extend({
  id: z.number().int(),
  state: z.enum(laneStates),
  workflows: z.array(z.object({ id: z.number().int(), slug: z.string(), name: z.string() })),
  /** Runs that wait for their turn. */
  depth: z.number().int(),
  running: z.number().int(),
  /** When the oldest run that waits was taken; null where none waits. */
  oldest_at: z.string().nullable(),
  /** The first deadline of a run in it; null where none has one. */
  deadline_at: z.string().nullable(),
  /** Runs that ended in the last minute. */
  rate_per_minute: z.number(),
  /** What the lane waits for, in words; null where it waits for nothing. */
  waiting_for: z.string().nullable(),
  next_try_at: z.string().nullable(),
  outage_since: z.string().nullable(),
  paused: z.object({ at: z.string(), by: z.string().nullable(), reason: z.string() }).nullable(),
})
export type LaneRecord = z.output<typeof laneRecord>

const laneAnswer = z.object({ lane: laneRecord })

export const listLanes = defineRoute({
  method: 'GET',
  path: '/api/lanes',
  access: 'workflow.view',
  tag: 'Lanes',
  summary: 'Every lane with its depth, its oldest run, its rate and what it waits for',
  response: z.object({ lanes: z.array(laneRecord) }),
})

export const pauseLane = defineRoute({
  method: 'POST',
  path: '/api/lanes/:id/pause',
  access: 'workflow.operate',
  tag: 'Lanes',
  summary: 'Start no further run; runs under way end',
  params: idParams,
  body: strictFields({ reason: text(500, 'reason') }).optional(),
  response: laneAnswer,
})

export const resumeLane = defineRoute({
  method: 'POST',
  path: '/api/lanes/:id/resume',
  access: 'workflow.operate',
  tag: 'Lanes',
  summary: 'Start runs again, and take new ones',
  params: idParams,
  response: laneAnswer,
})

export const drainLane = defineRoute({
  method: 'POST',
  path: '/api/lanes/:id/drain',
  access: 'workflow.operate',
  tag: 'Lanes',
  summary: 'Take no new run; carry out what is queued',
  params: idParams,
  response: laneAnswer,
})
