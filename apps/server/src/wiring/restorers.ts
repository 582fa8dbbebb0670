import {
  apiDefinition,
  endpointDefinition,
  roleDefinition,
  type ShownApiTls,
} from '@gatehouse/contract'
import { toSubmittedApi } from '../features/apis/api-columns.ts'
import type { ApiService } from '../features/apis/api-service.ts'
import type { Restorers } from '../features/audit/audit-service.ts'
import type { ContextService } from '../features/contexts/context-service.ts'
import { toSubmittedEndpoint } from '../features/endpoints/endpoint-columns.ts'
import type { EndpointService } from '../features/endpoints/endpoint-service.ts'
import { auditedRole, type RoleService } from '../features/roles/role-service.ts'
import type { WorkflowService } from '../features/workflows/definitions/workflow-service.ts'
import { asking, refuseWithout } from '../kernel/caller.ts'
import { parseVersion } from '../kernel/validation.ts'

interface Services {
  apis: ApiService
  contexts: ContextService
  endpoints: EndpointService
  roles: RoleService
  workflows: WorkflowService
}

/**
 * Saves an earlier version the way its form would, over whatever is there now: the same checks, the
 * same errors. An event of the context screen holds only a context.
 */
export function createRestorers({
  apis,
  contexts,
  endpoints,
  roles,
  workflows,
}: Services): Restorers {
  return {
    api: {
      current: async (id) => ({ ...toSubmittedApi(await apis.get(id)) }),
      choose: withoutForgetting,
      save: async (id, { context, version: _version, ...definition }, actor) => {
        if ('name' in definition)
          await apis.update(id, parseVersion(apiDefinition, definition), actor)
        if (typeof context === 'string' && (await apis.get(id)).context !== context) {
          refuseWithout(actor.caller, 'context.edit')
          await contexts.update(id, context, asking(actor, 'context.edit'))
        }
      },
    },
    endpoint: {
      current: async (id) => ({ ...toSubmittedEndpoint(await endpoints.get(id)) }),
      save: (id, version, actor) =>
        endpoints.update(id, parseVersion(endpointDefinition, version), actor),
    },
    role: {
      current: async (id, caller) => {
        return auditedRole(await roles.get(id, caller))
      },
      save: (id, version, actor) => roles.update(id, parseVersion(roleDefinition, version), actor),
    },
    workflow: {
      current: async (id) => workflows.audited(id),
      // The event names the version, which holds the whole definition.
      save: (id, { version }, actor) => workflows.restore(id, Number(version), undefined, actor),
    },
  }
}

/**
 * A version holds no secrets, so that what it would forget is lost for good: a sign-in or a client certificate
 * that it did not have yet stays.
 */
function withoutForgetting(
  {
    credential,
    test_credential,
    tls,
    // Documents stay where they are: the form changes the register, and asks.
    document_register: _register,
    ...rest
  }: Record<string, unknown>,
  current: Record<string, unknown>,
): Record<string, unknown> {
  const before = current['tls'] as ShownApiTls | null | undefined
  const then = tls as ShownApiTls | null | undefined
  const isKeyLost = before && then && hasKey(before) && !hasKey(then)
  const kept = isKeyLost ? { ...then, ...certificateOf(before) } : then
  return {
    ...rest,
    ...(credential ? { credential } : {}),
    ...(test_credential ? { test_credential } : {}),
    ...(kept ? { tls: kept } : {}),
  }
}

const hasKey = ({ has_client_key, has_pfx }: ShownApiTls) => has_client_key || has_pfx

/** With what it is compared by. */
function certificateOf({ ca: _ca, legacy_renegotiation: _legacy, ...certificate }: ShownApiTls) {
  return certificate
}
