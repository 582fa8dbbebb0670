import { z } from 'zod'
import { methods } from '../endpoints/endpoint-methods.ts'
import { defineRoute } from '../kernel/route.ts'
import { roleOption } from '../people/users.ts'

/** Base URLs of the sample service begin with it; its port is a free one. */
export const sampleHost = '127.0.0.1'

/** The way from an empty product to the first call through the gateway. */
export const firstSteps = z.object({
  /** False once it is in use: there are runs, or the gateway has answered a call without an error. */
  is_new: z.boolean(),
  /** The newest API; null where there is none. */
  api: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  /** What is called first: an active endpoint, with GET and without parameters if there is one. */
  endpoint: z
    .object({
      id: z.number().int(),
      summery: z.string(),
      method_type: z.enum(methods),
      /** As clients call it: `/context/path`. */
      path: z.string(),
      /** False: the gateway asks for no token. */
      is_guarded: z.boolean(),
      /** Active endpoints of the same API, this one among them; 20 at most. */
      siblings: z.array(z.number().int()),
      api: z.object({ id: z.number().int(), name: z.string() }),
    })
    .nullable(),
  /** Roles that may call the endpoint. */
  callers: z.array(roleOption),
  /** The role of the gateway client, for whom tokens are generated; null where it has none. */
  client_role: roleOption.nullable(),
  /** There is a token that is neither revoked nor expired. */
  has_token: z.boolean(),
  /** The gateway has answered a call of an endpoint, neither with 4xx nor with 5xx. */
  has_call: z.boolean(),
  sample: z.object({
    /** True while it listens on this server. */
    is_running: z.boolean(),
    /** Why it can't be used here, for an administrator; null where it can. */
    refusal: z.string().nullable(),
  }),
})
export type FirstSteps = z.output<typeof firstSteps>

export const showFirstSteps = defineRoute({
  method: 'GET',
  path: '/api/first-steps',
  access: 'api.create',
  tag: 'Gateway',
  summary: 'What is done of the way from an empty product to the first call through the gateway',
  response: firstSteps,
})

export const useSample = defineRoute({
  method: 'POST',
  path: '/api/first-steps/sample',
  access: 'api.create',
  tag: 'Gateway',
  summary:
    'Start the sample service on this machine, and register it as an API; with endpoint.create its endpoints too',
  status: 201,
  response: z.object({ api: z.object({ id: z.number().int(), name: z.string() }) }),
})
