import type { Caller } from './caller.ts'

/** Whether one of the caller's roles has access. */
export const mayCall = ({ isSuperAdmin, access }: Caller, endpointId: number): boolean =>
  isSuperAdmin || hasAccess(access, endpointId)

function hasAccess(access: Caller['access'], endpointId: number): boolean {
  for (let at = 0; at < access.length; at++) if (access[at]?.has(endpointId)) return true
  return false
}
