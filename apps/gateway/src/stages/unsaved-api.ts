import type { SnapshotApi } from '@gatehouse/contract/gateway'
import type { ApiPolicy } from '../exchange/exchange.ts'
import { createTrafficPolicies } from '../policy/traffic-policies.ts'
import { TokenSlots } from '../sign-in/token-slots.ts'
import { compileApi } from '../snapshot/compile-snapshot.ts'
import type { CompiledApi } from '../snapshot/compile-snapshot.ts'
import type { UpstreamOrigins } from '../snapshot/upstream-origins.ts'

/** No policy of a snapshot is at this place. */
const noIndex = -1

/**
 * An API as it would be saved, for one request. Its policy begins with nothing counted and nothing open, keeps no
 * answer and checks no target, so that the API in force knows nothing of it.
 */
export function compileUnsavedApi(
  given: SnapshotApi,
  gatewayOrigins: UpstreamOrigins,
): { api: CompiledApi; policy: ApiPolicy | null } {
  const { targets } = given.policy
  const policy = {
    ...given.policy,
    cache: null,
    targets: targets && { ...targets, health_check: null },
  }
  const config = { ...given, policy }
  const origins = gatewayOrigins.passing()
  // The control plane has obtained the token.
  const slots = new TokenSlots(() => {})
  return {
    api: compileApi(config, noIndex, { origins, slots }),
    policy: createTrafficPolicies().compile(config, origins, []),
  }
}
