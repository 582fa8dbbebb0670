import type { StoredTls } from '@gatehouse/contract/credential'
import type { ProcedureApi } from './procedure/procedure-upstream.ts'

/** Where a call of an API goes. */
export type CallTarget = HttpTarget | ProcedureTarget

interface HttpTarget {
  kind: 'http'
  baseUrl: string
  /** Null: no client certificate, and the authorities that Node knows. */
  tls: StoredTls | null
}

export interface ProcedureTarget {
  kind: 'procedure'
  api: ProcedureApi
  /** As the definition names it. */
  name: string
  /** The procedure must declare that it only reads (a GET). */
  isReadOnlyRequired: boolean
}

/**
 * The address as users see it and as requests are compared by: the base URL, or
 * `mysql://erp.local:3306/shop/add_sale?api=12`. It holds no secret.
 */
export const addressOf = (target: CallTarget): string =>
  target.kind === 'http' ? target.baseUrl : procedureAddress(target)

function procedureAddress({ api, name, isReadOnlyRequired }: ProcedureTarget): string {
  const { driver, host, port, database } = api.connection
  const shownHost = host.includes(':') ? `[${host}]` : host
  const path = [database, name].map(encodeURIComponent).join('/')
  const only = isReadOnlyRequired ? '&only=reads' : ''
  return `${driver}://${shownHost}:${port}/${path}?api=${api.id}${only}`
}
