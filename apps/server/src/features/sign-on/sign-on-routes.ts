import { beginSignOn, finishSignOn, offerSignOn, saveSignOn, showSignOn } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import { downloadCookie } from '../../kernel/http/download-cookie.ts'
import { mount, type CallContext } from '../../kernel/mount.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { attemptCookie, noAttemptCookie } from './attempt-cookie.ts'
import { toSignOnRecord, type ProviderSettings } from './provider-settings.ts'
import type { SignOnService } from './sign-on-service.ts'

interface SignOnParts {
  settings: ProviderSettings
  service: SignOnService
  secrets: SecretBox
  sessionMaxMs: number
  resetsPasswords: boolean
  offerPasskeys: () => Promise<{ origin: string | null } | null>
}

export function signOnRoutes(app: FastifyInstance, parts: SignOnParts): void {
  const { settings, service, secrets } = parts
  mount(app, showSignOn, async () => {
    const { provider, roles } = await settings.show()
    return {
      provider: provider ? toSignOnRecord(provider) : null,
      roles: roles.map(({ id, name }) => ({ id, name })),
    }
  })
  mount(app, saveSignOn, async ({ body }, context) => {
    const provider = await settings.save(body, context)
    return { provider: toSignOnRecord(provider), problem: await service.problemOf(provider) }
  })
  mount(app, offerSignOn, async () => {
    const { provider } = await settings.show()
    return {
      name: provider?.is_active ? provider.name : null,
      resets_passwords: parts.resetsPasswords,
      passkeys: await parts.offerPasskeys(),
    }
  })
  mount(app, beginSignOn, async (_, { header, isSecure, setHeader }) => {
    const { url, attempt } = await service.begin(redirectUriOf(header))
    setHeader('set-cookie', attemptCookie(attempt, secrets, isSecure))
    return { url }
  })
  mount(app, finishSignOn, async ({ body }, context) => {
    const { address, requestId, isSecure, header, setHeader } = context
    setHeader('set-cookie', noAttemptCookie(isSecure))
    const userAgent = header('user-agent') ?? ''
    const by = { address, requestId, userAgent }
    const signedIn = await service.finish(body.answer, header('cookie'), by)
    const { token, user, language, signOutUrl } = signedIn
    const cookie = { isSecure, maxAgeMs: parts.sessionMaxMs }
    setHeader('set-cookie', downloadCookie(signedIn.downloadCookie, cookie))
    return { token, user, language, sign_out_url: signOutUrl }
  })
}

/** The login page, where the guard has seen that the call comes from. */
function redirectUriOf(header: CallContext['header']): string {
  const origin = header('origin')
  if (origin === undefined)
    throw new AppError('request.malformed', { message: 'A browser begins this sign-in.' })
  return `${origin}/api/login/react`
}
