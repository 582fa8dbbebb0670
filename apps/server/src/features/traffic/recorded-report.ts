import type { ToolCount } from '@gatehouse/contract'
import type { GatewayReport, TrafficCount } from '../../publishing/gateway-link.ts'

export type RecordedReport = Pick<GatewayReport, 'at' | 'traffic' | 'token_uses' | 'tool_calls'>

/** Counts with their minutes, and tokens with the time of their last use. */
export interface RemoteCounts {
  traffic: readonly (Omit<TrafficCount, 'duration_ms'> & { minute: string })[]
  token_uses: readonly (readonly [number, string])[]
  tool_calls: readonly ToolCount[]
}
