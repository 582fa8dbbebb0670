/**
 * The refusals for which the upstream is at fault and which the admin API and the gateway share: one
 * code, status and text for both.
 */
export const upstreamErrors = {
  'upstream.blocked_address': {
    status: 502,
    message: 'The upstream address is one that Gatehouse never calls.',
  },
  'upstream.dns': { status: 502, message: 'The upstream host name could not be resolved.' },
  'upstream.refused': { status: 502, message: 'The upstream refused the connection.' },
  'upstream.connect_timeout': {
    status: 502,
    message: 'The upstream did not accept the connection in time.',
  },
  'upstream.tls': {
    status: 502,
    message:
      'The secure connection to the upstream failed, or its certificate could not be verified.',
  },
  'upstream.sign_in': {
    status: 502,
    message: 'The upstream refused the sign-in, or gave no usable token.',
  },
  'upstream.timeout': { status: 504, message: 'The upstream did not answer in time.' },
  'upstream.cut': {
    status: 502,
    message: 'The connection to the upstream broke before its answer was complete.',
  },
  'upstream.not_json': { status: 502, message: 'The upstream sent an answer that is not JSON.' },
  'upstream.protocol': { status: 502, message: 'The upstream sent an answer that is not HTTP.' },
} as const
