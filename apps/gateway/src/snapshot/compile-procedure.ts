import type { SnapshotApi } from '@gatehouse/contract/gateway'
import type { ProcedureApi } from '@gatehouse/upstream'

export interface CompiledProcedure {
  readonly api: ProcedureApi
  readonly name: string
}

/** Null: the API is none. */
export function compileProcedure(api: SnapshotApi): CompiledProcedure | null {
  if (api.procedure === null) return null
  const { method, ca, ...connection } = api.procedure
  return {
    name: method,
    api: {
      id: String(api.id),
      connection: {
        ...connection,
        ...(ca === null ? {} : { ca }),
        connectTimeoutMs: api.connect_timeout_ms,
      },
    },
  }
}
