import { changePassword, currentUser, login, logout } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { SessionService } from './session-service.ts'

export function sessionRoutes(app: FastifyInstance, sessions: SessionService): void {
  mount(app, login, ({ body }, { address, requestId }) =>
    sessions.login(body.email, body.password, { address, requestId }),
  )
  mount(app, currentUser, async (_, { caller }) => ({ user: caller.user }))
  mount(app, logout, (_, context) => sessions.logout(context))
  mount(app, changePassword, ({ body }, context) =>
    sessions.changePassword(body.current_password, body.password, context),
  )
}
