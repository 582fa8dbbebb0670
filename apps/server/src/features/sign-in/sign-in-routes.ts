import { listSignIns, showSignIn, testSignIn } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { SignInStatus } from './sign-in-status.ts'

export function signInRoutes(app: FastifyInstance, status: SignInStatus): void {
  mount(app, showSignIn, ({ params, query }) =>
    status.show({ apiId: params.id, which: query.which }),
  )
  mount(app, listSignIns, () => status.list())
  mount(app, testSignIn, ({ params, query }, context) =>
    status.test({ apiId: params.id, which: query.which }, context),
  )
}
