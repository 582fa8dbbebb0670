import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  secondFactorState,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { SecondFactorService } from './second-factor-service.ts'

export function secondFactorRoutes(app: FastifyInstance, factors: SecondFactorService): void {
  mount(app, secondFactorState, (_, { caller }) => factors.stateOf(caller))
  mount(app, beginSecondFactor, ({ body }, context) =>
    factors.begin(body.current_password, context),
  )
  mount(app, confirmSecondFactor, async ({ body }, context) => ({
    recovery_codes: await factors.confirm(body.code, context),
  }))
  mount(app, renewRecoveryCodes, async ({ body }, context) => ({
    recovery_codes: await factors.renewRecoveryCodes(body.current_password, body.code, context),
  }))
  mount(app, removeSecondFactor, ({ body }, context) =>
    factors.remove(body.current_password, body.code, context),
  )
  mount(app, resetSecondFactor, ({ params }, context) => factors.reset(params.id, context))
}
