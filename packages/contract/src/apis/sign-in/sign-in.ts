import { z } from 'zod'
import { idParams } from '../../kernel/paging.ts'
import { defineRoute } from '../../kernel/route.ts'
import { credentialKinds } from './stored-credential.ts'

/**
 * `none`: the API has no credential. `static`: it is sent as it is. The others are those of a token
 * that is obtained: not yet, and usable, refused by the authority, or over.
 */
const signInStates = ['none', 'static', 'never', 'valid', 'refused', 'expired'] as const

/** Which credential of an API: that of its base URL, or that of its test base URL. */
const signInPlaceNames = ['live', 'test'] as const
export type SignInPlaceName = (typeof signInPlaceNames)[number]

const place = z.object({
  which: z.enum(signInPlaceNames, { error: 'Use live or test.' }).default('live'),
})

const time = z.iso.datetime().nullable()

const signInState = z.object({
  kind: z.enum(credentialKinds).nullable(),
  state: z.enum(signInStates),
  obtained_at: time,
  expires_at: time,
  /** Why it was refused; blank where there is nothing to say. */
  message: z.string(),
  /** The client certificate that the API shows. */
  certificate: z.object({ subject: z.string(), expires_at: z.iso.datetime() }).nullable(),
  /** When the refresh token ends, and since when it has had that end. Null: there is none, or the authority does not say. */
  refresh_token: z.object({ since: z.iso.datetime(), expires_at: z.iso.datetime() }).nullable(),
})
export type SignInState = z.output<typeof signInState>

const signInResult = z.object({
  ok: z.boolean(),
  kind: z.enum(credentialKinds).nullable(),
  obtained_at: time,
  expires_at: time,
  scope: z.string(),
  message: z.string(),
})
export type SignInResult = z.output<typeof signInResult>

export const showSignIn = defineRoute({
  method: 'GET',
  path: '/api/apis/:id/sign-in',
  access: 'api.view',
  tag: 'APIs',
  summary: 'State of an API’s sign-in',
  params: idParams,
  query: place,
  response: signInState,
})

/**
 * The state of one API at its base URL, or at its test base URL where that has a sign-in of its own. The
 * client certificate is the same for both, and comes with the base URL.
 */
export const apiSignIn = signInState.extend({
  api_id: z.number().int(),
  api_name: z.string(),
  which: z.enum(signInPlaceNames),
})
export type ApiSignIn = z.output<typeof apiSignIn>

/** By name, the base URL before the test base URL. APIs with neither a sign-in nor a client certificate are left out. */
export const listSignIns = defineRoute({
  method: 'GET',
  path: '/api/sign-ins',
  access: 'api.view',
  tag: 'APIs',
  summary: 'State of the sign-ins of all APIs',
  response: z.array(apiSignIn),
})

export const testSignIn = defineRoute({
  method: 'POST',
  path: '/api/apis/:id/sign-in',
  access: 'api.edit',
  tag: 'APIs',
  summary: 'Sign in to an API’s upstream now',
  params: idParams,
  query: place,
  response: signInResult,
})
