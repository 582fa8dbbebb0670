import { changePassword, currentUser, login, logout } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { downloadCookie, noDownloadCookie } from '../../kernel/download-cookie.ts'
import { mount } from '../../kernel/mount.ts'
import type { SessionService } from './session-service.ts'

export function sessionRoutes(app: FastifyInstance, sessions: SessionService): void {
  mount(app, login, async ({ body }, { address, requestId, isSecure, setHeader }) => {
    const signIn = await sessions.login(body.email, body.password, { address, requestId })
    const { maxAgeMs } = sessions
    setHeader('set-cookie', downloadCookie(signIn.downloadCookie, { isSecure, maxAgeMs }))
    return { token: signIn.token, user: signIn.user }
  })
  mount(app, currentUser, async (_, { caller }) => ({ user: caller.user }))
  mount(app, logout, async (_, context) => {
    await sessions.logout(context)
    context.setHeader('set-cookie', noDownloadCookie(context))
  })
  mount(app, changePassword, ({ body }, context) =>
    sessions.changePassword(body.current_password, body.password, context),
  )
}
