import {
  changePassword,
  chooseLanguage,
  currentUser,
  endOtherSessions,
  endSession,
  listSessions,
  login,
  logout,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { downloadCookie, noDownloadCookie } from '../../kernel/http/download-cookie.ts'
import { mount } from '../../kernel/mount.ts'
import type { PasswordLogin } from './password-login.ts'
import type { SessionService } from './session-service.ts'

export function sessionRoutes(
  app: FastifyInstance,
  sessions: SessionService,
  passwordLogin: PasswordLogin,
): void {
  mount(app, login, async ({ body }, context) => {
    const { address, requestId, isSecure, setHeader } = context
    const userAgent = context.header('user-agent') ?? ''
    const signedIn = await passwordLogin.signIn(body, { address, requestId, userAgent })
    const { token, user, language, newRecoveryCodes } = signedIn
    const { maxAgeMs } = sessions
    setHeader('set-cookie', downloadCookie(signedIn.downloadCookie, { isSecure, maxAgeMs }))
    const shownOnce = newRecoveryCodes ? { recovery_codes: newRecoveryCodes } : {}
    return { token, user, language, ...shownOnce }
  })
  mount(app, currentUser, async (_, { caller }) => ({
    user: caller.user,
    language: await sessions.languageOf(caller),
    has_password: await sessions.hasPassword(caller),
  }))
  mount(app, chooseLanguage, ({ body }, context) =>
    sessions.chooseLanguage(body.language, context.caller),
  )
  mount(app, logout, async (_, context) => {
    await sessions.logout(context)
    context.setHeader('set-cookie', noDownloadCookie(context))
  })
  mount(app, listSessions, async (_, { caller }) => ({
    sessions: (await sessions.listOwn(caller)).map(
      ({ id, address, user_agent, created_at, last_used_at }) => ({
        id,
        address,
        user_agent,
        created_at,
        last_used_at,
        is_current: id === caller.sessionId,
      }),
    ),
  }))
  mount(app, endSession, ({ params }, context) => sessions.endOwn(params.id, context))
  mount(app, endOtherSessions, (_, context) => sessions.endOwn('others', context))
  mount(app, changePassword, ({ body }, context) =>
    sessions.changePassword(body.current_password, body.password, context),
  )
}
