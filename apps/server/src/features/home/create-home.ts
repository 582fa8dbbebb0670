import { showHome } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { mount } from '../../kernel/mount.ts'
import { HomeService, type HomeReads } from './home-service.ts'

/** `reads` read on a connection for long queries. */
export function createHome(reads: HomeReads, clock: Clock) {
  const service = new HomeService(reads, clock)
  return {
    mountOn: (app: FastifyInstance) =>
      mount(app, showHome, ({ query }, { caller }) =>
        service.show(query.zone, query.register, caller),
      ),
  }
}
