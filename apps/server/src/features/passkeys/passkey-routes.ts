import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  listPasskeys,
  loginWithPasskey,
  removePasskey,
  renamePasskey,
  resetPasskeys,
  type PasskeyRecord,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Row } from '../../db/tables.ts'
import { downloadCookie } from '../../kernel/http/download-cookie.ts'
import { mount } from '../../kernel/mount.ts'
import type { PasskeyLogin } from './passkey-login.ts'
import { passkeyPlace } from './passkey-place.ts'
import type { PasskeyService } from './passkey-service.ts'

interface PasskeyParts {
  service: PasskeyService
  login: PasskeyLogin
  /** See `fixedOrigin`. */
  origin: string | null
  sessionMaxMs: number
}

export function passkeyRoutes(app: FastifyInstance, parts: PasskeyParts): void {
  const { service, login, origin } = parts
  const placeOf = ({ header }: { header: (name: string) => string | undefined }) =>
    passkeyPlace(origin, header('origin'))

  mount(app, listPasskeys, async (_, { caller }) => ({
    passkeys: (await service.list(caller)).map(toPasskeyRecord),
    origin,
  }))
  mount(app, beginPasskey, async ({ body }, context) =>
    service.begin(body, placeOf(context), context),
  )
  mount(app, addPasskey, async ({ body }, context) => ({
    passkey: toPasskeyRecord(await service.add(body.credential, placeOf(context), context)),
  }))
  mount(app, renamePasskey, async ({ params, body }, context) => ({
    passkey: toPasskeyRecord(await service.rename(params.id, body.name, context)),
  }))
  mount(app, removePasskey, ({ params, body }, context) => service.remove(params.id, body, context))
  mount(app, resetPasskeys, ({ params }, context) => service.reset(params.id, context))
  mount(app, beginPasskeyLogin, async (_, context) =>
    login.begin(placeOf(context), context.address),
  )
  mount(app, loginWithPasskey, async ({ body }, context) => {
    const { address, requestId, isSecure, header, setHeader } = context
    const by = { address, requestId, userAgent: header('user-agent') ?? '' }
    const signedIn = await login.signIn(body.credential, placeOf(context), by)
    const { token, user, language } = signedIn
    const cookie = { isSecure, maxAgeMs: parts.sessionMaxMs }
    setHeader('set-cookie', downloadCookie(signedIn.downloadCookie, cookie))
    return { token, user, language }
  })
}

const toPasskeyRecord = (passkey: Row<'passkey'>): PasskeyRecord => ({
  id: passkey.id,
  name: passkey.name,
  host: passkey.host,
  is_synced: passkey.is_synced === 1,
  created_at: passkey.created_at,
  last_used_at: passkey.last_used_at,
})
