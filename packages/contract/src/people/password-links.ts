import { z } from 'zod'
import { requiredText } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'
import { checkPasswords, typedPassword } from './users.ts'

const tag = 'Session'
const bodyLimitBytes = 4096

/** The secret of a link, as its e-mail holds it. */
const token = requiredText(100, 'link')

export const askPasswordReset = defineRoute({
  method: 'POST',
  path: '/api/password-reset',
  access: 'public',
  tag,
  summary:
    'Get a link by e-mail that sets a new password; the answer is the same for unknown users',
  status: 204,
  bodyLimitBytes,
  body: z.object({ email: requiredText(254, 'email') }),
})

export const showPasswordLink = defineRoute({
  method: 'POST',
  path: '/api/password-link',
  access: 'public',
  tag,
  summary: 'Whose password a link sets; does not use it up',
  bodyLimitBytes,
  body: z.object({ token }),
  response: z.object({ kind: z.enum(['reset', 'invitation']), email: z.string() }),
})

export const choosePassword = defineRoute({
  method: 'POST',
  path: '/api/password-link/password',
  access: 'public',
  tag,
  summary: 'Choose a password by a link, once; ends all sessions of the user',
  status: 204,
  bodyLimitBytes,
  body: z
    .object({ token, password: typedPassword, password_confirmation: typedPassword })
    .superRefine(...checkPasswords(true)),
})
