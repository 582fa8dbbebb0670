import type { FastifyInstance } from 'fastify'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { Challenges } from './challenges.ts'
import { PasskeyLogin, type PasskeyLoginOptions } from './passkey-login.ts'
import { fixedOrigin } from './passkey-place.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { PasskeyService, type PasskeyServiceOptions } from './passkey-service.ts'

type PasskeysOptions = Omit<PasskeyServiceOptions & PasskeyLoginOptions, 'challenges'> & {
  secrets: SecretBox
  publicUrl: string | undefined
  sessionMaxMs: number
}

/** Wires passkeys: making them, and signing in with them. */
export function createPasskeys(options: PasskeysOptions) {
  const { secrets, clock, stores, sessionMaxMs } = options
  const challenges = new Challenges(secrets, clock)
  const service = new PasskeyService({ ...options, challenges })
  const login = new PasskeyLogin({ ...options, challenges })
  const origin = fixedOrigin(options.publicUrl)
  return {
    /** What the login page offers; null: no user has a passkey. */
    offer: async () => ((await stores.passkeys.exist()) ? { origin } : null),
    mountOn: (app: FastifyInstance) => passkeyRoutes(app, { service, login, origin, sessionMaxMs }),
  }
}
