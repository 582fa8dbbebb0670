import { z } from 'zod'
import { defineRoute } from '../kernel/route.ts'
import { apiFaults } from './snapshot.ts'

/** `starting`: it has no configuration yet; `draining`: it finishes what is in flight and then ends. */
const workerStates = ['starting', 'serving', 'draining', 'ended'] as const

const gatewayWorker = z.object({
  /** From 1. A worker that is started again keeps it. */
  id: z.number().int(),
  pid: z.number().int().nullable(),
  state: z.enum(workerStates),
  /** The configuration it runs on; null: none yet. */
  revision: z.number().int().nullable(),
  mark: z.string().nullable(),
  started_at: z.string(),
  /** How often it was started again because it had died. */
  restarts: z.number().int(),
  rss_bytes: z.number().int(),
  /** Requests under way when it last reported, a second ago at most. */
  in_flight: z.number().int(),
  /** WebSockets among them. */
  web_sockets: z.number().int(),
  /** Circuit breakers that are open in it, and for how long no call of that API has succeeded. */
  open_breakers: z.array(z.object({ api_id: z.number().int(), open_ms: z.number() })),
})
export type GatewayWorker = z.output<typeof gatewayWorker>

/** Of the gateways of all servers that share the database and gave a sign of life in the last 30 s. */
const gatewaySums = z.object({
  gateways: z.number().int(),
  workers: z.object({ serving: z.number().int(), total: z.number().int() }),
  /** Requests under way, as each server said a few seconds ago. */
  in_flight: z.number().int(),
})
export type GatewaySums = z.output<typeof gatewaySums>

const gatewayStatus = z.object({
  /** The configuration as it is stored. */
  revision: z.number().int(),
  /** Random; another one with every change. After a failover a number may come twice, a mark never. */
  mark: z.string(),
  /** The last one that every worker took over. */
  published_revision: z.number().int().nullable(),
  published_mark: z.string().nullable(),
  published_at: z.string().nullable(),
  workers: z.array(gatewayWorker),
  /** Why a configuration is not in force; the one before it stays. */
  refusal: z
    // Revision 0: it could not be read.
    .object({ revision: z.number().int(), reason: z.string(), at: z.string() })
    .nullable(),
  /** Parts of the configuration in force that can't be read: APIs that are isolated or left out. */
  faults: z.array(
    z.object({ api_id: z.number().int(), name: z.string(), fault: z.enum(apiFaults) }),
  ),
  /** Where it listens: `127.0.0.1:8080`. Null: this server runs no gateway. */
  address: z.string().nullable(),
  all_servers: gatewaySums,
  /** Where clients reach it. */
  gateway_url: z.string(),
})
export type GatewayStatus = z.output<typeof gatewayStatus>

export const showGateway = defineRoute({
  method: 'GET',
  path: '/api/gateway',
  access: 'dashboard.view',
  tag: 'Gateway',
  summary: 'The gateway’s workers and the configuration they run on',
  response: gatewayStatus,
})
