import { z } from 'zod'
import { acrossFields } from '../kernel/across-fields.ts'
import { flag, isId, optionalInteger, requiredText, text, version } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { secureUrlProblem } from '../kernel/secure-url.ts'
import { jwtAlgorithms } from './jwt-algorithms.ts'

const tag = 'Token issuers'
const skewDefaultSeconds = 60
const skewMaxSeconds = 300
const mappingsMax = 50

const algorithms = z
  .array(z.enum(jwtAlgorithms, { error: `Known are ${jwtAlgorithms.join(', ')}.` }), {
    error: 'The algorithms must be a list.',
  })
  .min(1, { error: 'Choose at least one algorithm.' })
  .transform((list) => [...new Set(list)])

/** A value of a claim that stands for a role. */
export const claimedRole = z.object({
  /** `*` stands for everybody of the issuer. */
  value: requiredText(200, 'value'),
  role_id: z
    .union([z.number(), z.string()], { error: 'Choose a role.' })
    .transform(Number)
    .refine(isId, { error: 'Choose a role.' }),
})

const insecureKeys =
  'Keys are fetched over https; over http from an address of a private network only.'

export const issuerInput = z
  .object({
    name: requiredText(100, 'name'),
    is_active: flag,
    /** `iss` of its tokens, letter by letter. */
    issuer: requiredText(500, 'issuer'),
    /** Has to be among `aud`. */
    audience: requiredText(500, 'audience'),
    /** Where its keys are (RFC 7517 §5). Blank: they are in `jwks`. */
    jwks_url: text(2_000, 'address of the keys'),
    /** A JWK set, or public keys or certificates in PEM. Blank: they are at `jwks_url`. */
    jwks: text(100_000, 'keys', { isMultiline: true }),
    algorithms,
    skew_seconds: optionalInteger('clock skew', 0, skewMaxSeconds).transform(
      (seconds) => seconds ?? skewDefaultSeconds,
    ),
    /** Name of the claim, or the way to it with dots between. */
    role_claim: text(200, 'claim'),
    roles: z
      .array(claimedRole, { error: 'The roles must be a list.' })
      .max(mappingsMax, { error: `At most ${mappingsMax} roles are possible.` }),
    version,
  })
  .superRefine(
    ...acrossFields<{
      jwks_url: string
      jwks: string
      role_claim: string
      roles: ({ value?: string } | undefined)[]
    }>(({ jwks_url, jwks, role_claim, roles = [] }, { addIssue }) => {
      const refuse = (path: string, message: string) =>
        addIssue({ code: 'custom', path: [path], message })
      const problem = jwks_url ? secureUrlProblem(jwks_url, insecureKeys) : undefined
      if (problem) refuse('jwks_url', problem)
      if (jwks_url === '' && jwks === '')
        refuse('jwks_url', 'Give the address of the keys, or the keys.')
      if (jwks_url && jwks) refuse('jwks', 'Give the address of the keys, or the keys: not both.')
      if (
        role_claim === '' &&
        roles.some((role) => role?.value !== undefined && role.value !== '*')
      )
        refuse('role_claim', 'Name the claim that holds these values.')
    }),
  )
export type IssuerInput = z.output<typeof issuerInput>

const issuerRecord = z.object({
  id: z.number().int(),
  name: z.string(),
  is_active: z.boolean(),
  issuer: z.string(),
  audience: z.string(),
  jwks_url: z.string(),
  jwks: z.string(),
  algorithms: z.array(z.enum(jwtAlgorithms)),
  skew_seconds: z.number().int(),
  role_claim: z.string(),
  roles: z.array(z.object({ value: z.string(), role_id: z.number().int(), role: z.string() })),
  /** The public keys in force. */
  keys: z.array(
    z.object({
      kid: z.string().nullable(),
      /** `RSA 2048`, `P-256` … */
      kind: z.string(),
      algorithms: z.array(z.enum(jwtAlgorithms)),
    }),
  ),
  /** When the keys in force were last seen at their address. */
  keys_read_at: z.string().nullable(),
  /** Why the last try to fetch them failed; null: it did not. The keys before stay in force. */
  keys_problem: z.string().nullable(),
  user_name: z.string(),
  updated_at: z.string(),
  version: z.number().int(),
})
export type IssuerRecord = z.output<typeof issuerRecord>

const answer = z.object({ issuer: issuerRecord })

export const listIssuers = defineRoute({
  method: 'GET',
  path: '/api/token-issuers',
  access: 'token.view',
  tag,
  summary: 'Who signs JWTs that callers of the gateway may show in place of a personal token',
  query: listQuery(['id', 'name', 'updated_at']),
  response: pageOf(issuerRecord),
})

export const issuerForm = defineRoute({
  method: 'GET',
  path: '/api/token-issuers/create',
  access: 'token.create_any',
  tag,
  summary: 'The roles that the caller may give to tokens of an issuer',
  response: z.object({ roles: z.array(z.object({ id: z.number().int(), name: z.string() })) }),
})

export const showIssuer = defineRoute({
  method: 'GET',
  path: '/api/token-issuers/:id',
  access: 'token.view',
  tag,
  summary: 'One token issuer',
  params: idParams,
  response: answer,
})

export const createIssuer = defineRoute({
  method: 'POST',
  path: '/api/token-issuers',
  access: 'token.create_any',
  tag,
  summary: 'Trust a token issuer; its keys are fetched at once',
  status: 201,
  body: issuerInput,
  response: answer,
})

export const updateIssuer = defineRoute({
  method: 'PUT',
  path: '/api/token-issuers/:id',
  access: 'token.create_any',
  tag,
  summary: 'Change a token issuer; another address of its keys drops those that are in force',
  params: idParams,
  body: issuerInput,
  response: answer,
})

export const fetchIssuerKeys = defineRoute({
  method: 'POST',
  path: '/api/token-issuers/:id/keys',
  access: 'token.create_any',
  tag,
  summary: 'Fetch the keys of an issuer now; where that fails, those in force stay',
  params: idParams,
  response: answer,
})

export const deleteIssuer = defineRoute({
  method: 'DELETE',
  path: '/api/token-issuers/:id',
  access: 'token.create_any',
  tag,
  summary: 'Delete a token issuer; its tokens are refused from the next call on',
  status: 204,
  params: idParams,
})
