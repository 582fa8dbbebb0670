import { findTrail } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { sendAs } from '../../kernel/http/own-calls.ts'
import { mount } from '../../kernel/mount.ts'
import { Trail } from './trail.ts'

/** Wires the search for everything about one thing. It works by calls of the admin API alone. */
export const createTrail = () => ({
  mountOn: (app: FastifyInstance) =>
    mount(app, findTrail, ({ query }, context) => new Trail(sendAs(app, context)).find(query.q)),
})
