import { z } from 'zod'
import { requiredText } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { currentPassword } from './users.ts'

/** What an authenticator app takes over, by hand or from the picture. Shown once. */
const secondFactorSetup = z.object({
  /** Base32, RFC 4648 §6. */
  secret: z.string(),
  /** `otpauth://totp/…`, the text of the QR code. */
  uri: z.string(),
  /** A PNG, base64. */
  qr_code: z.string(),
})
export type SecondFactorSetup = z.output<typeof secondFactorSetup>

/** Each signs in once, in place of a code of the app. Shown once. */
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/** A code of the app, or a recovery code; spaces do not count. */
const code = requiredText(40, 'code')

export const secondFactorState = defineRoute({
  method: 'GET',
  path: '/api/second-factor',
  access: 'session',
  tag: 'Session',
  summary: 'Whether one’s own sign-in asks for a second factor',
  response: z.object({
    /** Since when; null: it does not. */
    since: z.string().nullable(),
    recovery_codes_left: z.number().int(),
    /** A role of the user asks for it: it can’t be turned off. */
    is_required: z.boolean(),
  }),
})

export const beginSecondFactor = defineRoute({
  method: 'POST',
  path: '/api/second-factor',
  access: 'session',
  tag: 'Session',
  summary: 'Get the secret for an authenticator app; nothing is asked for before it is confirmed',
  body: z.object({ current_password: currentPassword }),
  response: secondFactorSetup,
})

export const confirmSecondFactor = defineRoute({
  method: 'POST',
  path: '/api/second-factor/confirm',
  access: 'session',
  tag: 'Session',
  summary: 'Turn the second factor on by a code of the app; ends all other sessions',
  body: z.object({ code }),
  response: recoveryCodes,
})

export const renewRecoveryCodes = defineRoute({
  method: 'POST',
  path: '/api/second-factor/recovery-codes',
  access: 'session',
  tag: 'Session',
  summary: 'Replace one’s recovery codes by new ones',
  body: z.object({ current_password: currentPassword, code }),
  response: recoveryCodes,
})

export const removeSecondFactor = defineRoute({
  method: 'POST',
  path: '/api/second-factor/remove',
  access: 'session',
  tag: 'Session',
  summary: 'Turn one’s second factor off, unless a role asks for it',
  status: 204,
  body: z.object({ current_password: currentPassword, code }),
})

export const resetSecondFactor = defineRoute({
  method: 'DELETE',
  path: '/api/user/:id/second-factor',
  access: 'user.edit',
  tag: 'Users',
  summary: 'Forget the second factor of a user who has lost it, and end their sessions',
  status: 204,
  params: idParams,
})
