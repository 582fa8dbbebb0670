import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    hasExactBody?: boolean
  }
  interface FastifyRequest {
    bodyText?: string
  }
}

/** Keeps the text of a JSON body where its route asks for it: JSON.parse loses digits of numbers. */
export function keepText(request: FastifyRequest, text: string): void {
  if (request.routeOptions.config.hasExactBody) request.bodyText = text
}

export const keptText = (request: FastifyRequest): string => request.bodyText ?? ''
