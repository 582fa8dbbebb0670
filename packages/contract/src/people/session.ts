import { z } from 'zod'
import { permissions } from '../kernel/permissions.ts'
import { defineRoute } from '../kernel/route.ts'
import { requiredText, text } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'

const sessionUser = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  username: z.string(),
  roles: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** Names of the roles, as lists show them. */
  role: z.string(),
  permissions: z.array(z.enum(permissions as [string, ...string[]])),
})
export type SessionUser = z.output<typeof sessionUser>

/** The languages of the dashboard. */
export const languages = ['en', 'ar'] as const
export type Language = (typeof languages)[number]

const signedIn = z.object({
  user: sessionUser,
  /** What the user has chosen; null: what the browser asks for. A server of an earlier release does not say. */
  language: z.enum(languages).nullish(),
})

export const login = defineRoute({
  method: 'POST',
  path: '/api/login',
  access: 'public',
  tag: 'Session',
  summary: 'Sign in with e-mail address and password',
  bodyLimitBytes: 4096,
  body: z.object({
    email: requiredText(254, 'email'),
    // A password is taken as typed: white space counts.
    password: z
      .string({ error: 'The password field is required.' })
      .min(1, { error: 'The password field is required.' })
      .max(1024, { error: 'The password is too long.' }),
    /** Of an authenticator app, or a recovery code: where the answer without it was `session.code_needed`. */
    code: text(40, 'code'),
  }),
  response: signedIn.extend({
    token: z.string(),
    /** Where this sign-in has set up a second factor: shown this once. */
    recovery_codes: z.array(z.string()).optional(),
  }),
})

export const currentUser = defineRoute({
  method: 'GET',
  path: '/api/auth',
  access: 'session',
  tag: 'Session',
  summary: 'The signed-in user, with roles and permissions',
  response: signedIn.extend({
    /**
     * False: of a password that nobody knows, for the user came by a sign-on. What asks for the current one is
     * closed to them. A server of an earlier release does not say.
     */
    has_password: z.boolean().optional(),
  }),
})

export const chooseLanguage = defineRoute({
  method: 'PUT',
  path: '/api/language',
  access: 'session',
  tag: 'Session',
  summary: 'Choose the language of the dashboard for oneself',
  status: 204,
  body: z.object({ language: z.enum(languages, { error: 'There is no such language.' }) }),
})

export const logout = defineRoute({
  method: 'POST',
  path: '/api/logout',
  access: 'session',
  tag: 'Session',
  summary: 'End this session on the server',
  status: 204,
})

/** An open sign-in of the caller. */
const ownSession = z.object({
  id: z.number().int(),
  address: z.string(),
  /** What the browser called itself; blank where that is not known. */
  user_agent: z.string(),
  created_at: z.string(),
  /** To the minute. */
  last_used_at: z.string(),
  /** True for the session that asks. */
  is_current: z.boolean(),
})
export type OwnSession = z.output<typeof ownSession>

export const listSessions = defineRoute({
  method: 'GET',
  path: '/api/sessions',
  access: 'session',
  tag: 'Session',
  summary: 'One’s own open sessions, the one used last first',
  response: z.object({ sessions: z.array(ownSession) }),
})

export const endSession = defineRoute({
  method: 'DELETE',
  path: '/api/sessions/:id',
  access: 'session',
  tag: 'Session',
  summary: 'End one of one’s own sessions; it is refused on the next call',
  status: 204,
  params: idParams,
})

export const endOtherSessions = defineRoute({
  method: 'DELETE',
  path: '/api/sessions',
  access: 'session',
  tag: 'Session',
  summary: 'End all of one’s own sessions but this one',
  status: 204,
})
