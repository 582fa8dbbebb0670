import type { FastifyInstance } from 'fastify'
import type { Row } from '../../db/tables.ts'
import type { Stores } from '../../stores.ts'
import { LoginThrottle } from './login-throttle.ts'
import { openSession, type SignInOrigin } from './open-session.ts'
import { PasswordLogin, type PasswordLoginOptions } from './password-login.ts'
import { sessionRoutes } from './session-routes.ts'
import { SessionService, type SessionServiceOptions } from './session-service.ts'

type SessionsOptions = SessionServiceOptions &
  PasswordLoginOptions & { stores: Pick<Stores, 'loginFailures'> }

export function createSessions(options: SessionsOptions) {
  const throttle = new LoginThrottle(options)
  const service = new SessionService(options, throttle)
  const login = new PasswordLogin(options, throttle)
  return {
    service,
    /** Opens a session for a user who has proved who they are without a password. */
    open: (within: Stores, user: Row<'user'>, by: SignInOrigin) =>
      openSession(within, user, by, { now: options.clock.now(), maxMs: options.check.maxMs }),
    /** Counts a sign-in that names no account. Throws a 429 where too many from its address have failed. */
    slowDown: async ({ address }: SignInOrigin) => {
      const attempt = await throttle.begin(`nobody from ${address}`, address)
      if (attempt.refusal) throw attempt.refusal
      return attempt
    },
    mountOn: (app: FastifyInstance) => sessionRoutes(app, service, login),
  }
}
