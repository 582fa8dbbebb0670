import type { Row } from '../../db/tables.ts'

/** Where a run calls a stored procedure, as its ledger shows it. */
export interface ProcedureAddress {
  apiId: number
  /** As the definition names it. */
  method: string
  /** The procedure must declare that it only reads (a GET). */
  isReadOnlyRequired: boolean
}

/**
 * `mysql://erp.local:3306/shop/add_sale?api=12`: shows users where the call went, and the next call
 * where to find user and password, which are never part of it.
 */
export function procedureUrl(api: Row<'api'>, isReadOnlyRequired: boolean): string {
  const host = api.host?.includes(':') ? `[${api.host}]` : api.host
  const path = [api.database, api.func_name].map((part) => encodeURIComponent(part ?? '')).join('/')
  const only = isReadOnlyRequired ? '&only=reads' : ''
  return `${api.driver}://${host}:${api.port}/${path}?api=${api.id}${only}`
}

/** Reads such an address; undefined where it is one of HTTP. */
export function readProcedureUrl(url: string): ProcedureAddress | undefined {
  const { protocol, pathname, searchParams } = new URL(url)
  if (protocol !== 'mysql:' && protocol !== 'sqlsrv:') return undefined
  return {
    apiId: Number(searchParams.get('api')),
    method: decodeURIComponent(pathname.split('/')[2] ?? ''),
    isReadOnlyRequired: searchParams.get('only') === 'reads',
  }
}
