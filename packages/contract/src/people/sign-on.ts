import { z } from 'zod'
import { acrossFields } from '../kernel/across-fields.ts'
import { flag, requiredText, text, typedSecret, version } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'
import { secureUrlProblem } from '../kernel/secure-url.ts'
import { passkeyOffer } from './passkeys.ts'
import { login } from './session.ts'
import { claimedRole } from '../callers/token-issuers.ts'
import { roleOption } from './users.ts'

const tag = 'Sign-on'
const rolesMax = 50

const signOnInput = z
  .object({
    /** On the button of the login page. */
    name: requiredText(60, 'name'),
    is_active: flag,
    /** Where the provider describes itself (OpenID Connect Discovery), letter by letter. */
    issuer: requiredText(500, 'issuer'),
    client_id: requiredText(200, 'client ID'),
    /** Blank keeps the stored one. */
    client_secret: typedSecret(1_000, 'client secret'),
    /** With spaces between; `openid` is always asked for. */
    scopes: text(500, 'scopes'),
    /** Name of the claim, or the way to it with dots between. */
    role_claim: text(200, 'claim'),
    roles: z
      .array(claimedRole, { error: 'The roles must be a list.' })
      .max(rolesMax, { error: `At most ${rolesMax} roles are possible.` }),
    /** People who are not known here get a user, with the roles that their claim stands for. */
    creates_users: flag,
    /** A logout here leads to the logout of the provider. */
    signs_out: flag,
    version,
  })
  .superRefine(
    ...acrossFields<{ issuer: string }>(({ issuer }, { addIssue }) => {
      const insecure = 'Providers are asked over https; over http in a private network only.'
      const message = issuer ? secureUrlProblem(issuer, insecure) : undefined
      if (message) addIssue({ code: 'custom', path: ['issuer'], message })
    }),
  )
export type SignOnInput = z.output<typeof signOnInput>

const signOnRecord = z.object({
  name: z.string(),
  is_active: z.boolean(),
  issuer: z.string(),
  client_id: z.string(),
  has_client_secret: z.boolean(),
  scopes: z.string(),
  role_claim: z.string(),
  roles: z.array(z.object({ value: z.string(), role_id: z.number().int(), role: z.string() })),
  creates_users: z.boolean(),
  signs_out: z.boolean(),
  user_name: z.string(),
  updated_at: z.string(),
  version: z.number().int(),
})
export type SignOnRecord = z.output<typeof signOnRecord>

export const showSignOn = defineRoute({
  method: 'GET',
  path: '/api/sign-on',
  access: 'user.view',
  tag,
  summary: 'The provider that administrators sign in with, and the roles that it may give',
  response: z.object({ provider: signOnRecord.nullable(), roles: z.array(roleOption) }),
})

export const saveSignOn = defineRoute({
  method: 'PUT',
  path: '/api/sign-on',
  access: 'user.edit',
  tag,
  summary: 'Change the provider that administrators sign in with; for Super Admins alone',
  body: signOnInput,
  response: z.object({
    provider: signOnRecord,
    /**
     * Why nobody can be sent to the provider, which was asked after the save; null: it answered. A server of an
     * earlier release does not say.
     */
    problem: z.string().nullish(),
  }),
})

export const offerSignOn = defineRoute({
  method: 'GET',
  path: '/api/sign-on/offer',
  access: 'public',
  tag,
  summary:
    'What the login page offers beside the password: a provider, passkeys, a link for a new password',
  response: z.object({
    /** Of the provider; null where there is none. */
    name: z.string().nullable(),
    /** A server of an earlier release does not say. */
    resets_passwords: z.boolean().optional(),
    /** Null: no user has a passkey. A server of an earlier release does not say. */
    passkeys: passkeyOffer.nullish(),
  }),
})

export const beginSignOn = defineRoute({
  method: 'POST',
  path: '/api/sign-on/begin',
  access: 'public',
  tag,
  summary: 'Where the browser goes to sign in; a cookie ties the answer to this browser',
  bodyLimitBytes: 1024,
  response: z.object({ url: z.string() }),
})

export const finishSignOn = defineRoute({
  method: 'POST',
  path: '/api/sign-on/finish',
  access: 'public',
  tag,
  summary: 'Sign in with what the provider has answered to the browser',
  bodyLimitBytes: 16_384,
  body: z.object({
    /** The query with which the provider has sent the browser back. */
    answer: requiredText(8_000, 'answer'),
  }),
  response: login.response.extend({
    /** Where a logout goes on; null: it ends here. */
    sign_out_url: z.string().nullable(),
  }),
})
