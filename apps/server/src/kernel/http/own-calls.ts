import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'
import type { CallContext } from '../mount.ts'

export interface OwnAnswer {
  status: number
  text: string
}

export interface OwnCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  body?: string | undefined
}

/** Makes a call of the admin API within the server's process. */
export type SendOwn = (call: OwnCall) => Promise<OwnAnswer>

/** Calls within this process, as the caller of another call. */
export function sendAs(
  app: FastifyInstance,
  { header, address }: Pick<CallContext, 'header' | 'address'>,
): SendOwn {
  const authorization = header('authorization')
  if (authorization === undefined) throw new AppError('session.unauthenticated')
  return async ({ method, url, body }) => {
    const hasBody = body !== undefined
    const { statusCode, payload } = await app.inject({
      method,
      url,
      remoteAddress: address,
      headers: { authorization, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      ...(hasBody ? { payload: body } : {}),
    })
    return { status: statusCode, text: payload }
  }
}
