import type { TryItAnswer } from '@gatehouse/contract'

/** A try without a token that the endpoint asks for. */
export const buildTryItAnswer = (): TryItAnswer => ({
  request: { method: 'POST', url: 'http://127.0.0.1:8080/orders/orders/7' },
  answer: {
    status: 401,
    headers: [['WWW-Authenticate', 'Bearer']],
    body: '',
    body_bytes: 0,
    is_whole: true,
  },
  took_ms: 4.2,
  request_id: 'r-1',
  trace: {
    revision: 12,
    took_ms: 0.4,
    stages: [
      {
        name: 'match',
        verdict: 'passed',
        started_ms: 0,
        took_ms: 0.1,
        code: null,
        details: { endpoint_id: 7 },
      },
      {
        name: 'authenticate',
        verdict: 'refused',
        started_ms: 0.1,
        took_ms: 0.1,
        code: 'client.unauthenticated',
        details: {},
      },
    ],
  },
})
