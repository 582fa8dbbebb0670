import { errorTable, helpOf, type ErrorCode, type FieldErrors } from '@gatehouse/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { databaseTroubleOf } from '../../db/outages/database-away.ts'
import { AppError } from '../app-error.ts'
import { storeRefusalOf } from '../store-refusal.ts'
import { ThreadEnded } from '../threads/thread-ended.ts'
import { InvalidInput } from '../validation.ts'

interface Refusal {
  code: ErrorCode
  message?: string | undefined
  fields?: FieldErrors | undefined
  retryAfterSeconds?: number | undefined
  extra?: Record<string, unknown> | undefined
}

/** Turns whatever was thrown into the answer of the error table. Bugs are logged whole and hidden. */
export function answerError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toRefusal(error)
  const status = errorTable[refusal.code].status
  if (['server.failed', 'database.away', 'database.busy'].includes(refusal.code))
    request.log.error({ err: error, request_id: request.id }, 'call failed')
  else if (causeOf(error) !== undefined) {
    request.log.warn(
      { err: causeOf(error), request_id: request.id, code: refusal.code },
      'call refused',
    )
  }
  if (refusal.retryAfterSeconds !== undefined)
    reply.header('retry-after', Math.ceil(refusal.retryAfterSeconds))
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((answer: unknown) => JSON.stringify(answer))
    .send({
      message: refusal.message ?? errorTable[refusal.code].message,
      code: refusal.code,
      request_id: request.id,
      help: helpOf(refusal.code),
      ...(refusal.fields ? { errors: refusal.fields } : {}),
      ...refusal.extra,
    })
}

/** Why a call was refused, for the log. */
const causeOf = (error: Error): unknown =>
  error instanceof ThreadEnded ? error : error instanceof AppError ? error.cause : undefined

function toRefusal(error: FastifyError | Error): Refusal {
  if (error instanceof AppError)
    return { code: error.code, message: error.message, ...error.details }
  if (error instanceof InvalidInput) {
    // No record has an id in this form.
    return error.part === 'params'
      ? { code: 'route.not_found' }
      : { code: 'request.invalid', fields: error.fields }
  }
  if (error instanceof ThreadEnded) return ofThread(error)
  const refused = storeRefusalOf(error)
  if (refused) return toRefusal(refused)
  const trouble = databaseTroubleOf(error)
  if (trouble) return { code: `database.${trouble}`, retryAfterSeconds: 5 }
  const { code, statusCode = 500 } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { code: 'request.too_large' }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return { code: 'request.not_json' }
  if (statusCode >= 400 && statusCode < 500) return { code: 'request.malformed' }
  return { code: 'server.failed' }
}

function ofThread({ isTooCostly, reason }: ThreadEnded): Refusal {
  if (isTooCostly) return { code: 'request.too_costly' }
  return reason === 'died'
    ? { code: 'server.failed' }
    : { code: 'server.busy', retryAfterSeconds: 5 }
}
