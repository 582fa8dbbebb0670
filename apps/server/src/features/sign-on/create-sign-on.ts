import type { HttpUpstream } from '@gatehouse/upstream'
import type { FastifyInstance } from 'fastify'
import { ProviderClient } from './provider-client.ts'
import { ProviderSettings } from './provider-settings.ts'
import { signOnRoutes } from './sign-on-routes.ts'
import { SignOnService, type SignOnServiceOptions } from './sign-on-service.ts'

type SignOnOptions = Omit<SignOnServiceOptions, 'settings' | 'client'> & {
  upstream: HttpUpstream
  sessionMaxMs: number
  /** Whether the login page offers a link to those who forgot their password. */
  resetsPasswords: boolean
  /** What it offers of passkeys; null: no user has one. */
  offerPasskeys: () => Promise<{ origin: string | null } | null>
}

/** Wires the sign-in of administrators with an OpenID provider. */
export function createSignOn(options: SignOnOptions) {
  const settings = new ProviderSettings(options)
  const client = new ProviderClient(options)
  const service = new SignOnService({ ...options, settings, client })
  return {
    mountOn: (app: FastifyInstance) => {
      signOnRoutes(app, { ...options, settings, service })
      app.addHook('preClose', async () => client.stop())
    },
  }
}
