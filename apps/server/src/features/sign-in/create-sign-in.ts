import type { FastifyInstance } from 'fastify'
import type { Stores } from '../../stores.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { SignInService, type SignInServiceOptions } from './sign-in-service.ts'
import { SignInStatus } from './sign-in-status.ts'

export type CreateSignInOptions = Omit<SignInServiceOptions, 'store'> & { stores: Stores }

export function createSignIn({ stores, ...options }: CreateSignInOptions) {
  const service = new SignInService({ ...options, store: stores.signIns })
  const status = new SignInStatus({
    service,
    targetOf: options.targetOf,
    clock: options.clock,
    record: (actor, { apiId, which }, name, after) =>
      stores.audit.record(actor, {
        action: 'api.sign_in',
        thing: 'api',
        id: apiId,
        name,
        after: { which, ...after },
      }),
  })
  return { service, mountOn: (app: FastifyInstance) => signInRoutes(app, status) }
}
