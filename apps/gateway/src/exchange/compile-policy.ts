import type { SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import type { UpstreamOrigins } from '../snapshot/upstream-origins.ts'
import type { ApiPolicy } from './exchange.ts'

/** Makes the policy of an API when a snapshot is compiled; null where every part is off. */
export type CompilePolicy = (
  api: SnapshotApi,
  origins: UpstreamOrigins,
  /** Those of the API that send headers of their own. */
  endpointsWithHeaders: readonly SnapshotEndpoint[],
) => ApiPolicy | null

export const withoutPolicy: CompilePolicy = () => null
