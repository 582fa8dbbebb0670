import { z } from 'zod'
import { flag, idMax, moment } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'

/** Answered below 400; refused with 4xx; failed with 5xx, or cut off. Noted: it went through, with a `detail`. */
export const requestOutcomes = ['answered', 'refused', 'failed', 'noted'] as const
export type RequestOutcome = (typeof requestOutcomes)[number]

export const requestMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const gatewayRequest = z.object({
  /** Place in the access log, which stays the same: file and offset of its line. */
  file: z.string(),
  offset: z.number().int(),
  /** When it ended. */
  at: z.string(),
  request_id: z.string(),
  /** Blank where the bytes never became a request. */
  method: z.string(),
  /** As the client sent it, without the query; secrets masked. */
  path: z.string(),
  /** 499: the client left first. 0: the answer was cut off. */
  status: z.number().int(),
  /** Why it was not answered by an upstream: `client.not_found`, `upstream.timeout` …; blank otherwise. */
  code: z.string(),
  /** The code in words, for a client to read. */
  reason: z.string(),
  /** What went wrong inside, for an administrator to read; secrets masked. */
  detail: z.string(),
  duration_ms: z.number(),
  /** Of `duration_ms`, what the upstream took. */
  upstream_ms: z.number(),
  /** Null where no HTTP upstream answered. */
  upstream_status: z.number().int().nullable(),
  bytes_in: z.number(),
  bytes_out: z.number(),
  /** Address that it came from. */
  address: z.string(),
  /** Null: no endpoint was met. */
  endpoint_id: z.number().int().nullable(),
  /** Null: deleted since. */
  endpoint: z.string().nullable(),
  api_id: z.number().int().nullable(),
  api: z.string().nullable(),
  /** Whose personal token it showed; null: it showed none that counted. */
  user_id: z.number().int().nullable(),
  /** Null: deleted since, or the caller may not see this user. */
  user: z.string().nullable(),
  token_id: z.number().int().nullable(),
  /** Null where `user` is. */
  token: z.string().nullable(),
  /** Whose JWT it showed; null: none that counted. */
  issuer_id: z.number().int().nullable(),
  /** Null: deleted since. */
  issuer: z.string().nullable(),
  /** Whom that JWT is about; blank where there is none. */
  subject: z.string(),
  /** Sent from the dashboard with _Try it_, perhaps as this client without its doing. */
  is_try: z.boolean(),
  /** The draft of its API has served it. */
  is_draft: z.boolean(),
  /** What the client of an agent calls itself, blank where it does not; null: it is no message of an agent. */
  agent: z.string().nullable(),
})
export type GatewayRequest = z.output<typeof gatewayRequest>

const id = z.coerce.number().int().positive().max(idMax)
const cursor = z
  .string()
  .max(8_192)
  .regex(/^[\w-]*$/)

export const listGatewayRequests = defineRoute({
  method: 'GET',
  path: '/api/gateway-requests',
  access: 'log.view',
  tag: 'Gateway',
  summary:
    'Requests that the gateway of this server, or one that runs alone, has answered, newest first',
  query: z.object({
    /** Moments at which requests ended, the first inclusive. A day as `to` is its begin. */
    from: moment.optional(),
    to: moment.optional(),
    api: id.optional(),
    endpoint: id.optional(),
    /** Id of a user. */
    client: id.optional(),
    /** Id of a personal token. */
    token: id.optional(),
    /** One of `requestOutcomes`, or a status. */
    status: z.union([z.enum(requestOutcomes), z.string().regex(/^(?:0|[1-5]\d\d)$/)]).optional(),
    method: z.enum(requestMethods).optional(),
    /** Words that the path has to hold, all of them, whatever the case; or a request id. */
    search: z.string().trim().max(200).default(''),
    /** Took at least so many ms. */
    slower: z.coerce.number().min(0).max(3_600_000).optional(),
    /** Id of one of `gateways`: reads the log of that one instead of this server's. */
    server: z.string().min(1).max(200).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    /** `older` of an answer: goes on from there. */
    older: cursor.optional(),
    /** `newest` of an answer: only what has ended since. */
    since: cursor.optional(),
    /** Repeated requests for new ones: the view is recorded once, when it begins. */
    follow: flag,
  }),
  response: z.object({
    /** The server or gateway that they are of: each keeps its own. */
    server: z.string(),
    /** Gateways that live and run alone: `server` asks for the requests of one. */
    gateways: z.array(z.object({ id: z.string(), name: z.string() })),
    /** Names of other servers that live, whose requests only they can show. */
    other_servers: z.array(z.string()),
    /** False: by `LOG_LEVEL` only requests that failed are recorded. */
    records_all: z.boolean(),
    /** What the token is called that the query asks for; null: it asks for none, or the caller may not see it. */
    token: z.string().nullable(),
    rows: z.array(gatewayRequest),
    /** Asks for what lies before these; null: there is nothing more. */
    older: z.string().nullable(),
    /** Asks for what comes after. */
    newest: z.string(),
    /**
     * An answer looks through 64 MiB of the log at most. The moment that it came to; null: it looked as far as
     * it had to.
     */
    looked_back_to: z.string().nullable(),
  }),
})
export type GatewayRequestQuery = z.output<typeof listGatewayRequests.query>
export type GatewayRequestPage = z.output<typeof listGatewayRequests.response>
