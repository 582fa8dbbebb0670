import type { FastifyInstance } from 'fastify'
import type { Stores } from '../../stores.ts'
import { LoginThrottle } from './login-throttle.ts'
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
    mountOn: (app: FastifyInstance) => sessionRoutes(app, service, login),
  }
}
