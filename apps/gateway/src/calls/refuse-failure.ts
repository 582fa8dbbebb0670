import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import type { UpstreamFailure, UpstreamFailureCode } from '@gatehouse/upstream/http'
import type { Exchange } from '../exchange/exchange.ts'

const codes: Record<UpstreamFailureCode, GatewayErrorCode> = {
  blocked_address: 'upstream.blocked_address',
  dns: 'upstream.dns',
  refused: 'upstream.refused',
  connect_timeout: 'upstream.connect_timeout',
  tls: 'upstream.tls',
  sign_in: 'upstream.sign_in',
  timeout: 'upstream.timeout',
  cut: 'upstream.cut',
  too_large: 'upstream.too_large',
  protocol: 'upstream.protocol',
  aborted: 'gateway.stopping',
}

/** Answers 502 or 504 for a call that failed before anything of its answer was passed on. */
export function refuseFailure(exchange: Exchange, failure: UpstreamFailure): void {
  exchange.refuse(codes[failure.failure], { detail: failure.message })
}
