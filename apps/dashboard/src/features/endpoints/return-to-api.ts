import { paths } from '../../entities/paths.ts'

const name = 'return'
const value = 'api'

/** The address of a form of an endpoint that leads back to the page of its API. */
export function withReturn(path: string, isToApi: boolean): string {
  return isToApi ? `${path}${path.includes('?') ? '&' : '?'}${name}=${value}` : path
}

/** The address of a form of an endpoint that leads back to where the form at this address does. */
export const withSameReturn = (path: string, address: URLSearchParams) =>
  withReturn(path, address.get(name) === value)

/** Where the form at this address leads back to: the list it was opened from. */
export function returnPathOf(address: URLSearchParams, apiId: number): string {
  const isToApi = address.get(name) === value && Number.isSafeInteger(apiId) && apiId > 0
  return isToApi ? paths.apiPart(apiId, 'endpoints') : paths.endpoints
}
