import type { AuditEvent, AuditThing, Permission } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'

/** The screens that records have, and who may see them. */
const screens: Partial<Record<AuditThing, { path: (id: number) => string; needs: Permission }>> = {
  api: { path: paths.apiEdit, needs: 'api.edit' },
  endpoint: { path: paths.endpointEdit, needs: 'endpoint.edit' },
  user: { path: paths.userEdit, needs: 'user.view' },
  role: { path: paths.roleEdit, needs: 'role.view' },
  run: { path: paths.run, needs: 'run.view' },
  access: { path: paths.accessEdit, needs: 'api-permission.view' },
}

/** Where the thing that an event tells of can be seen; undefined if nowhere, or not by this user. */
export function thingPath(
  { thing, thing_id, action }: AuditEvent,
  can: (permission: Permission) => boolean,
): string | undefined {
  const screen = screens[thing]
  if (!screen || thing_id === null || action.endsWith('.delete') || !can(screen.needs)) {
    return undefined
  }
  return screen.path(thing_id)
}
