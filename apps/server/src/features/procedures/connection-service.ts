import { tlsDefaults, type ProcedureConnectionInput } from '@gatehouse/contract'
import { isExactObject, JsonProblem, parseExact, type ExactJson } from '@gatehouse/contract/mapping'
import type { ProcedureFailed, ProcedureSignature, ProcedureUpstream } from '@gatehouse/upstream'
import type { Row } from '../../db/tables.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import { connectionOf } from './connection-of.ts'

export interface ConnectionServiceOptions {
  procedures: ProcedureUpstream
  findApi: (id: number) => Promise<Row<'api'> | undefined>
  passwordOf: (api: Row<'api'>) => string
  /** Keeps in the audit trail who tried which database: a try shows what answers at an address. */
  record: (
    actor: Actor,
    action: 'api.test_connection' | 'api.run_sample',
    apiId: number | undefined,
    name: string,
  ) => Promise<unknown>
  /** True where a stored password would be sent to another place than the one it was entered for. */
  isMoved: (given: ProcedureConnectionInput, stored: Row<'api'>) => boolean
}

interface SampleInput extends ProcedureConnectionInput {
  func_name: string
  values: string
}

/** The caller, and a signal for when the caller has left. */
type Trier = Actor & { signal: AbortSignal }

const placeOf = ({ driver, host, port, database }: ProcedureConnectionInput) =>
  `${driver}://${host}:${port}/${database}`

/** Tries what the API form holds, before it is saved: nothing of it is kept. */
export class ConnectionService {
  readonly #options: ConnectionServiceOptions

  constructor(options: ConnectionServiceOptions) {
    this.#options = options
  }

  /** Connects and lists the procedures. `apiId` names the API whose stored password may be used. */
  async test(given: ProcedureConnectionInput, apiId: number | undefined, actor: Trier) {
    const password = await this.#password(given, apiId)
    await this.#options.record(actor, 'api.test_connection', apiId, placeOf(given))
    const list = await this.#options.procedures.testConnection(connectionOf(given, password), {
      signal: actor.signal,
    })
    if (!list.ok) throw refusal(list)
    return {
      procedures: list.procedures.map((signature) => ({
        ...signature,
        method: methodOf(signature, given),
      })),
      is_complete: list.isComplete,
      tls: given.db_tls ?? (given.driver ? tlsDefaults[given.driver] : 'off'),
      duration_ms: list.durationMs,
    }
  }

  /** Calls the procedure in a transaction that is rolled back. */
  async sample(given: SampleInput, apiId: number | undefined, actor: Trier) {
    const password = await this.#password(given, apiId)
    const name = `${placeOf(given)} ${given.func_name}`
    await this.#options.record(actor, 'api.run_sample', apiId, name)
    const answer = await this.#options.procedures.runSample(connectionOf(given, password), {
      name: given.func_name,
      values: valuesOf(given.values),
      signal: actor.signal,
    })
    if (!answer.ok) throw refusal(answer)
    return {
      body: answer.body,
      columns: answer.columns,
      is_rolled_back: answer.isRolledBack ?? true,
      duration_ms: Math.round(answer.durationMs),
    }
  }

  async #password(given: ProcedureConnectionInput, apiId: number | undefined): Promise<string> {
    if (given.password !== '') return given.password
    const stored = apiId === undefined ? undefined : await this.#options.findApi(apiId)
    if (apiId !== undefined && !stored) throw new AppError('api.not_found')
    if (!stored?.password_encrypted)
      throw fieldError({ password: ['The password field is required.'] })
    if (this.#options.isMoved(given, stored)) {
      throw fieldError({
        password: ['The driver, host, port or TLS has changed: enter the password again.'],
      })
    }
    return this.#options.passwordOf(stored)
  }
}

function refusal(failed: ProcedureFailed): AppError {
  const { code, message, fields, retryAfterSeconds, cause } = failed
  return new AppError(code, {
    message,
    // Parameters are at fault in the one field that holds their values.
    ...(fields ? { fields: { values: Object.values(fields).flat() } } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause,
  })
}

function valuesOf(text: string): Record<string, ExactJson> {
  if (text.trim() === '') return {}
  try {
    const values = parseExact(text)
    if (isExactObject(values)) return values
    throw fieldError({ values: ['The values must be a JSON object, by parameter name.'] })
  } catch (error) {
    if (error instanceof JsonProblem) throw fieldError({ values: [error.message] })
    throw error
  }
}

/** As the field “Stored Procedure method” takes it: quoted as the database quotes, where it must be. */
function methodOf({ schema, name }: ProcedureSignature, given: ProcedureConnectionInput): string {
  const quoted = (text: string) =>
    given.driver === 'mysql'
      ? `\`${text.replaceAll('`', '``')}\``
      : `[${text.replaceAll(']', ']]')}]`
  const part = (text: string) => (/^[\p{L}_][\p{L}\p{N}_$#@]*$/u.test(text) ? text : quoted(text))
  const isOwn = schema === '' || schema === (given.driver === 'mysql' ? given.database : 'dbo')
  return isOwn ? part(name) : `${part(schema)}.${part(name)}`
}
