import type { Caller } from './caller.ts'

/** Whether one of the caller's roles has access. */
export const mayCall = ({ isSuperAdmin, access }: Caller, endpointId: number): boolean =>
  isSuperAdmin || hasAccess(access, endpointId)

function hasAccess(access: Caller['access'], endpointId: number): boolean {
  for (let at = 0; at < access.length; at++) if (access[at]?.has(endpointId)) return true
  return false
}

/** Whether one of them counts from this address too. For a caller who may call the endpoint. */
export function mayCallFrom(
  { isSuperAdmin, access, roleAddresses }: Caller,
  endpointId: number,
  address: string,
): boolean {
  if (roleAddresses === null || isSuperAdmin) return true
  return access.some(
    (endpoints, at) => endpoints.has(endpointId) && (roleAddresses[at]?.takes(address) ?? true),
  )
}
