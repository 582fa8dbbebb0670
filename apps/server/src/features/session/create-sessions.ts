import type { ErrorCode } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { SignIn, SignInOrigin } from '../../kernel/sign-in.ts'
import type { Stores } from '../../stores.ts'
import { LoginThrottle } from './login-throttle.ts'
import { openSession } from './open-session.ts'
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
    open: (
      within: Stores,
      user: Row<'user'>,
      by: SignInOrigin,
      how: Record<string, string>,
    ): Promise<SignIn> =>
      openSession(within, user, by, { now: options.clock.now(), maxMs: options.check.maxMs, how }),
    /**
     * A sign-in that names no account. What it throws with this code counts as a wrong password from there:
     * no other failure does, or all behind one address would wait for what others do. Throws a 429 where
     * there were too many.
     */
    slowedDown: async <T>(
      { address }: SignInOrigin,
      wrong: ErrorCode,
      work: () => Promise<T>,
    ): Promise<T> => {
      const attempt = await throttle.begin(`nobody from ${address}`, address)
      if (attempt.refusal) throw attempt.refusal
      try {
        const done = await work()
        await attempt.succeed()
        return done
      } catch (error) {
        if (!(error instanceof AppError && error.code === wrong)) await attempt.withdraw()
        throw error
      }
    },
    mountOn: (app: FastifyInstance) => sessionRoutes(app, service, login),
  }
}
