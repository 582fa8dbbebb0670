import { z } from 'zod'
import { baseUrlProblem } from './base-url.ts'
import { requiredText } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'

const body = z.object({
  url: requiredText(2_000, 'base URL').superRefine((value, context) => {
    const problem = value === '' ? undefined : baseUrlProblem(value, 'base URL')
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
  }),
})

const addressCheck = z.object({
  is_reached: z.boolean(),
  /** Why not; null where it was reached. */
  reason: z.string().nullable(),
  /** The address that the name resolved to; null where it was not reached. */
  address: z.string().nullable(),
  took_ms: z.number(),
  /** Null without TLS, and where it was not reached. */
  certificate: z
    .object({ subject: z.string(), issuer: z.string(), valid_until: z.string() })
    .nullable(),
})
export type AddressCheck = z.output<typeof addressCheck>

export const checkAddress = defineRoute({
  method: 'POST',
  path: '/api/apis/check-address',
  access: 'api.create',
  tag: 'APIs',
  summary: 'Connect to a base URL and close, before anything is saved; nothing is sent',
  body,
  response: addressCheck,
})

export const checkStoredAddress = defineRoute({
  method: 'POST',
  path: '/api/apis/:id/check-address',
  access: 'api.edit',
  tag: 'APIs',
  summary: 'The same with what the form of a saved API holds',
  params: idParams,
  body,
  response: addressCheck,
})
