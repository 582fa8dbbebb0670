import { currentUser, login, logout } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { SessionService } from './session-service.ts'

export function sessionRoutes(app: FastifyInstance, sessions: SessionService): void {
  mount(app, login, ({ body }, { address }) => sessions.login(body.email, body.password, address))
  mount(app, currentUser, async (_, { caller }) => ({ user: caller.user }))
  mount(app, logout, (_, { caller }) => sessions.logout(caller.sessionId))
}
