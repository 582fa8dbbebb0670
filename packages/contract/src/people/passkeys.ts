import { z } from 'zod'
import { requiredText, text } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { login } from './session.ts'
import { currentPassword } from './users.ts'

/** A user has at most this many. */
export const passkeysMax = 20

const tag = 'Session'
const passkeyName = requiredText(100, 'name')

/** Shows that the user themselves asks: their password, and a code where they have a second factor. */
const proof = z.object({ current_password: currentPassword, code: text(40, 'code') })

const passkeyRecord = z.object({
  id: z.number().int(),
  name: z.string(),
  /** At which it signs in, with the port where that is not the usual one. */
  host: z.string(),
  /** Copied to other devices of its user, as most password managers do. */
  is_synced: z.boolean(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type PasskeyRecord = z.output<typeof passkeyRecord>

/** Where passkeys work: an origin; null: at each under which the dashboard is opened, if browsers allow it. */
const origin = z.string().nullable()

/** Base64url without padding, as browsers write bytes in JSON. */
const bytes = (maxLength: number) =>
  z
    .string({ error: 'Send Base64url.' })
    .max(maxLength, { error: `At most ${maxLength} characters are possible.` })
    .regex(/^[\w-]+$/, { error: 'Send Base64url.' })

const credentialId = bytes(1_400)
const clientData = bytes(4_000)
const credentialType = z.literal('public-key', { error: 'Send a public key.' })

/** What the browser answers, by `toJSON()`; what else it says does not count. */
const registration = z.object({
  id: credentialId,
  type: credentialType,
  response: z.object({
    clientDataJSON: clientData,
    attestationObject: bytes(30_000),
    /** How a browser reaches the device; it is asked for the same one again. */
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
})
export type PasskeyRegistration = z.output<typeof registration>

const assertion = z.object({
  id: credentialId,
  type: credentialType,
  response: z.object({
    clientDataJSON: clientData,
    authenticatorData: bytes(2_000),
    signature: bytes(2_000),
    userHandle: bytes(100).nullish(),
  }),
})
export type PasskeyAssertion = z.output<typeof assertion>

/** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  timeout: z.number().int(),
  excludeCredentials: z.array(
    z.object({
      type: z.literal('public-key'),
      id: z.string(),
      transports: z.array(z.string()),
    }),
  ),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type PasskeyCreationOptions = z.output<typeof creationOptions>

/** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  userVerification: z.literal('required'),
})
export type PasskeyRequestOptions = z.output<typeof requestOptions>

export const listPasskeys = defineRoute({
  method: 'GET',
  path: '/api/passkeys',
  access: 'session',
  tag,
  summary: 'One’s own passkeys, the newest first',
  response: z.object({ passkeys: z.array(passkeyRecord), origin }),
})

export const beginPasskey = defineRoute({
  method: 'POST',
  path: '/api/passkeys/begin',
  access: 'session',
  tag,
  summary: 'What the browser needs to make a passkey of this name',
  body: proof.extend({ name: passkeyName }),
  response: creationOptions,
})

export const addPasskey = defineRoute({
  method: 'POST',
  path: '/api/passkeys',
  access: 'session',
  tag,
  summary: 'Keep the passkey that the browser has made',
  status: 201,
  bodyLimitBytes: 65_536,
  body: z.object({ credential: registration }),
  response: z.object({ passkey: passkeyRecord }),
})

export const renamePasskey = defineRoute({
  method: 'PUT',
  path: '/api/passkeys/:id',
  access: 'session',
  tag,
  summary: 'Rename one of one’s own passkeys',
  params: idParams,
  body: z.object({ name: passkeyName }),
  response: z.object({ passkey: passkeyRecord }),
})

export const removePasskey = defineRoute({
  method: 'POST',
  path: '/api/passkeys/:id/remove',
  access: 'session',
  tag,
  summary: 'Remove one of one’s own passkeys; ends all other sessions',
  status: 204,
  params: idParams,
  body: proof,
})

export const resetPasskeys = defineRoute({
  method: 'DELETE',
  path: '/api/user/:id/passkeys',
  access: 'user.edit',
  tag: 'Users',
  summary: 'Remove all passkeys of a user, and end their sessions',
  status: 204,
  params: idParams,
})

export const beginPasskeyLogin = defineRoute({
  method: 'POST',
  path: '/api/login/passkey/begin',
  access: 'public',
  tag,
  summary: 'What the browser needs to sign in with a passkey; it names no user',
  bodyLimitBytes: 1024,
  response: requestOptions,
})

export const loginWithPasskey = defineRoute({
  method: 'POST',
  path: '/api/login/passkey',
  access: 'public',
  tag,
  summary: 'Sign in with a passkey, which stands for password and second factor',
  bodyLimitBytes: 16_384,
  body: z.object({ credential: assertion }),
  response: login.response,
})

export const passkeyOffer = z.object({ origin })
