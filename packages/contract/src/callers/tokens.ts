import { z } from 'zod'
import {
  idMax,
  isId,
  optionalFlag,
  requiredText,
  strictFields,
  text,
  version,
} from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { tokenLimits } from './token-limits.ts'
import { tokenLimitsInput } from './token-limits-input.ts'

/** The account whose token the screen's Generate asks for (spec: limits). */
export const gatewayClientId = 4
const tokenDaysDefault = 365
const tokenDaysMax = 3650

const tokenRecord = z.object({
  id: z.number().int(),
  name: z.string(),
  /** For whom: the token calls the gateway as this user. */
  user: z.object({ id: z.number().int(), name: z.string() }),
  created_by: z.string(),
  /** The last four characters, to tell tokens apart. */
  ending: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  state: z.enum(['active', 'expired', 'revoked']),
  /** It opens less than the roles of its user do. */
  is_limited: z.boolean(),
})
export type TokenRecord = z.output<typeof tokenRecord>

/** An endpoint or a workflow that a token may be limited to; `line` tells it apart from its namesakes. */
const scopeChoice = z.object({ id: z.number().int(), name: z.string(), line: z.string() })
export type ScopeChoice = z.output<typeof scopeChoice>

const scopeChoices = z.object({ endpoints: z.array(scopeChoice), workflows: z.array(scopeChoice) })

/** How many endpoints, and how many workflows, a search offers at once. */
export const scopeChoicesShown = 30

const tokenDetail = z.object({
  token: tokenRecord.extend({
    limits: tokenLimits,
    /** Since when it has a signing secret; null: it has none. */
    signing_since: z.string().nullable(),
    version: z.number().int(),
  }),
  /** What the limits name, as far as it still exists. */
  named: scopeChoices,
  /** Requests that the gateway has let through while the token had a quota, in UTC, a second ago. */
  usage: z.object({ today: z.number().int(), this_month: z.number().int() }),
  /** Whether the caller may change the limits. */
  can_change: z.boolean(),
})
export type TokenDetail = z.output<typeof tokenDetail>

const userId = z
  .union([z.number(), z.string(), z.null()], { error: 'Choose a user.' })
  .optional()
  .transform((value) =>
    value === undefined || value === null || value === '' ? null : Number(value),
  )
  .refine((value) => value === null || isId(value), { error: 'Choose a user.' })

export const createToken = defineRoute({
  method: 'POST',
  path: '/admin/token/store',
  access: 'token.create',
  tag: 'Personal tokens',
  summary: 'Generate a personal access token; it is shown this once',
  status: 201,
  body: z.object({
    /** Blank means the caller. Anybody but oneself and the gateway client needs token.create_any. */
    user: userId,
    name: text(100, 'name'),
    expires_in_days: text(5, 'expiry')
      .refine(
        (value) =>
          value === '' ||
          (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= tokenDaysMax),
        {
          error: `The expiry must be a whole number of days from 1 to ${tokenDaysMax}.`,
        },
      )
      .transform((value) => (value === '' ? tokenDaysDefault : Number(value))),
    /** Absent or null: none beside the roles of the user. */
    limits: tokenLimitsInput.nullish(),
    /** It has to name endpoints or workflows: an agent finds these alone. */
    is_for_agent: optionalFlag,
  }),
  response: z.object({ access_token: tokenRecord.extend({ token: z.string() }) }),
})

export const tokenForm = defineRoute({
  method: 'GET',
  path: '/api/token/create',
  access: 'token.create',
  tag: 'Personal tokens',
  summary: 'For whom the caller may generate tokens',
  response: z.object({ users: z.array(z.object({ id: z.number().int(), name: z.string() })) }),
})

export const listTokens = defineRoute({
  method: 'GET',
  path: '/api/token',
  access: 'token.view',
  tag: 'Personal tokens',
  summary: 'The caller’s tokens and the gateway client’s; everybody’s with token.create_any',
  query: listQuery(['id', 'name', 'created_at', 'expires_at', 'last_used_at']),
  response: pageOf(tokenRecord),
})

export const tokenChoices = defineRoute({
  method: 'GET',
  path: '/api/token/choices',
  access: 'token.create',
  tag: 'Personal tokens',
  summary: 'Endpoints and workflows that a token of this user could be limited to',
  query: z.object({
    user: z.coerce.number().int().positive().max(idMax),
    search: z.string().trim().max(200).default(''),
    /** `tools`: of the endpoints, those alone that agents find. */
    endpoints: z.enum(['all', 'tools']).default('all'),
  }),
  response: scopeChoices,
})

/** Names of tools that a check shows. */
export const checkedToolsMax = 100

/** Asks the gateway itself, with the token in clear text, what an agent finds. Nothing is called, or stored. */
export const checkAgentToken = defineRoute({
  method: 'POST',
  path: '/api/token/check-agent',
  access: 'token.create',
  tag: 'Agents',
  summary: 'The tools that an agent finds with a token, or why the gateway refuses it',
  body: strictFields({ token: requiredText(200, 'token') }),
  response: z.object({
    /** Where the client of an agent connects. */
    url: z.string(),
    /** Names of tools, the first 100. */
    tools: z.array(z.string()),
    has_more: z.boolean(),
    /** Why the token does not work there; null: it works. */
    problem: z.string().nullable(),
  }),
})
export type CheckedAgentToken = z.output<typeof checkAgentToken.response>

export const showToken = defineRoute({
  method: 'GET',
  path: '/api/token/:id',
  access: 'token.view',
  tag: 'Personal tokens',
  summary: 'One token, with what it is limited to',
  params: idParams,
  response: tokenDetail,
})

/** In force from the next call on. */
export const limitToken = defineRoute({
  method: 'PUT',
  path: '/api/token/:id/limits',
  access: 'token.create',
  tag: 'Personal tokens',
  summary: 'Set what a token is limited to; the token itself stays as it is',
  params: idParams,
  body: z.object({ limits: tokenLimitsInput, version }),
  response: tokenDetail,
})

/** The one before stops counting at once. */
export const makeSigningSecret = defineRoute({
  method: 'POST',
  path: '/api/token/:id/signing-secret',
  access: 'token.create',
  tag: 'Personal tokens',
  summary: 'Make the secret with which requests of a token are signed; it is shown this once',
  status: 201,
  params: idParams,
  response: z.object({ signing_secret: z.string() }),
})

export const removeSigningSecret = defineRoute({
  method: 'DELETE',
  path: '/api/token/:id/signing-secret',
  access: 'token.create',
  tag: 'Personal tokens',
  summary: 'Remove the signing secret of a token; what it signs is refused on the next call',
  status: 204,
  params: idParams,
})

export const revokeToken = defineRoute({
  method: 'DELETE',
  path: '/api/token/:id',
  access: 'token.revoke',
  tag: 'Personal tokens',
  summary: 'Revoke a token; it is refused on the next call',
  status: 204,
  params: idParams,
})
