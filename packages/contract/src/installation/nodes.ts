import { z } from 'zod'
import { defineRoute } from '../kernel/route.ts'

/**
 * How a server counts rate limits. `off`: no Redis is set. `joining`: it has not reached Redis yet. `away`:
 * Redis does not answer in time. Unless `shared`, each server counts its part: the limit divided by `servers`.
 */
const nodeLimits = z.object({
  state: z.enum(['off', 'joining', 'shared', 'away']),
  /** Servers that carry traffic, as far as this one has heard. */
  servers: z.number().int(),
  /** Why Redis is away. */
  reason: z.string().nullable(),
  since: z.string(),
  /** How often Redis went away since this server was started. */
  times_away: z.number().int(),
})
export type NodeLimits = z.output<typeof nodeLimits>

/** That a part of a server has ended although it was not asked to, and was started again. */
const partEnd = z.object({
  part: z.enum(['control', 'gateway']),
  at: z.string(),
  /** Its exit code, a signal, or that it was stuck. */
  reason: z.string(),
})
export type PartEnd = z.output<typeof partEnd>

/** What a server says of itself with each sign of life. */
export const nodeState = z.object({
  /** The configuration that all of its workers took over last; null: none. */
  revision: z.number().int().nullable(),
  mark: z.string().nullable(),
  /** The configuration that is stored and not in force here. Revision 0: it could not be read. */
  refusal: z.object({ revision: z.number().int(), reason: z.string(), at: z.string() }).nullable(),
  isolated_apis: z.number().int(),
  /** Null: it runs no gateway. */
  workers: z.object({ serving: z.number().int(), total: z.number().int() }).nullable(),
  /** Requests that its gateway has under way. */
  in_flight: z.number().int(),
  /** Of the machine, over a minute, for each processor: 1 keeps all of them busy. Null: the system does not say. */
  load: z.number().nullable(),
  /**
   * How far its machine’s clock is ahead of the database’s, and how wrong that may be. Null: the machine’s
   * clock counts, as with SQLite.
   */
  clock: z.object({ offset_ms: z.number().int(), error_ms: z.number().int() }).nullable(),
  /** The disk of its data folder. Null: it could not be measured. */
  disk: z
    .object({ path: z.string(), free_bytes: z.number(), total_bytes: z.number() })
    .nullable()
    .default(null),
  /** APIs whose circuit breaker is open in workers of its gateway, since the first of them opened; 1,000 at most. */
  open_breakers: z
    .array(z.object({ api_id: z.number().int(), since: z.string(), workers: z.number().int() }))
    .default([]),
  /** Null: it runs no gateway, or an earlier version. */
  limits: nodeLimits.nullable().default(null),
  /**
   * Requests since its start that the traffic figures lack, because a gateway that runs alone could not report them
   * and had no room to keep them.
   */
  lost_requests: z.number().int().default(0),
  /** The last ends of its parts since it was started, 20 at most. */
  ends: z.array(partEnd).default([]),
})
export type NodeState = z.output<typeof nodeState>

/** `silent`: no sign of life for 30 s. */
export const nodeLives = ['alive', 'silent', 'stopped'] as const
export type NodeLife = (typeof nodeLives)[number]

const nodeRecord = z.object({
  /** The `instance-id` of its data folder. */
  id: z.string(),
  /** The name of its machine. */
  name: z.string(),
  version: z.string(),
  /** `all`: all there is to do; `control`: without a gateway; `gateway`: the gateway alone. */
  role: z.string(),
  life: z.enum(nodeLives),
  /** It has answered this call. */
  is_this: z.boolean(),
  started_at: z.string(),
  seen_at: z.string(),
  silent_seconds: z.number().int(),
  /** Its gateway runs on what is stored. */
  is_current: z.boolean(),
  /** What it does for all servers, which one of them does at a time. */
  leads: z.array(z.object({ duty: z.string(), since: z.string().nullable() })),
  /** Null: it has not said anything that this version reads. */
  state: nodeState.nullable(),
})
export type NodeRecord = z.output<typeof nodeRecord>

const nodeList = z.object({
  /** The configuration as it is stored. */
  revision: z.number().int(),
  mark: z.string(),
  /** Those that live come first, then by name. Servers that were silent for a day are gone; 500 at most. */
  nodes: z.array(nodeRecord),
})
export type NodeList = z.output<typeof nodeList>

export const listNodes = defineRoute({
  method: 'GET',
  path: '/api/nodes',
  access: 'node.view',
  tag: 'Gateway',
  summary: 'The servers that share the database, and what each of them runs on',
  response: nodeList,
})
