// For containers without a shell: `node healthcheck.mjs` ends with 0 if the server says that it is ready.
// It reads the same variables as the server. A gateway answers on its own port, by HTTPS with TLS_CERT.

import http from 'node:http'
import https from 'node:https'

const { ROLE, HOST, PORT, GATEWAY_PORT, TLS_CERT } = process.env
const isGateway = ROLE?.trim() === 'gateway'
const address = HOST?.trim() || '127.0.0.1'
const request = (isGateway && TLS_CERT?.trim() ? https : http).get({
  host: { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address,
  port: isGateway ? GATEWAY_PORT?.trim() || 8080 : PORT?.trim() || 3000,
  path: '/readyz',
  // The certificate names the host that clients use. This call stays on the machine.
  rejectUnauthorized: false,
  timeout: 4_000,
})
request.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
request.on('timeout', () => process.exit(1))
request.on('error', () => process.exit(1))
