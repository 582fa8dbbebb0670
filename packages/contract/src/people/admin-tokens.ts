import { z } from 'zod'
import { requiredText, text } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { permissions } from '../kernel/permissions.ts'
import { defineRoute } from '../kernel/route.ts'
import { currentPassword } from './users.ts'

const adminTokenDaysMax = 365
/** A user has at most this many that are not revoked. */
export const adminTokensMax = 50

const adminTokenRecord = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The last four characters, to tell tokens apart. */
  ending: z.string(),
  /** What it was given. It opens no more than its user holds today. */
  permissions: z.array(z.string()),
  created_at: z.string(),
  expires_at: z.string(),
  /** To the minute. */
  last_used_at: z.string().nullable(),
  has_expired: z.boolean(),
})
export type AdminTokenRecord = z.output<typeof adminTokenRecord>

const daysError = `The expiry must be a whole number of days from 1 to ${adminTokenDaysMax}.`
const days = z
  .number({ error: daysError })
  .int({ error: daysError })
  .min(1, { error: daysError })
  .max(adminTokenDaysMax, { error: daysError })

export const listAdminTokens = defineRoute({
  method: 'GET',
  path: '/api/admin-tokens',
  access: 'session',
  tag: 'Session',
  summary: 'One’s own tokens for programs that call the admin API, but for revoked ones',
  response: z.object({ tokens: z.array(adminTokenRecord) }),
})

export const createAdminToken = defineRoute({
  method: 'POST',
  path: '/api/admin-tokens',
  access: 'session',
  tag: 'Session',
  summary: 'Make a token for a program that calls the admin API; it is shown this once',
  status: 201,
  body: z.object({
    name: requiredText(100, 'name'),
    permissions: z
      .array(
        z.enum(permissions as [string, ...string[]], { error: 'Choose permissions of the list.' }),
        {
          error: 'The permissions must be a list.',
        },
      )
      .min(1, { error: 'Choose at least one permission.' })
      .max(permissions.length, { error: 'Choose permissions of the list.' })
      .transform((names) => [...new Set(names)]),
    expires_in_days: days,
    current_password: currentPassword,
    /** Of an authenticator app, or a recovery code: where the user has a second factor. */
    code: text(40, 'code'),
  }),
  response: z.object({ admin_token: adminTokenRecord.extend({ token: z.string() }) }),
})

export const revokeAdminToken = defineRoute({
  method: 'DELETE',
  path: '/api/admin-tokens/:id',
  access: 'session',
  tag: 'Session',
  summary: 'Revoke one of one’s own tokens for programs; it is refused on the next call',
  status: 204,
  params: idParams,
})

export const revokeAdminTokensOf = defineRoute({
  method: 'DELETE',
  path: '/api/user/:id/admin-tokens',
  access: 'user.edit',
  tag: 'Users',
  summary: 'Revoke all tokens for programs of a user',
  status: 204,
  params: idParams,
})
