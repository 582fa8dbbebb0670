import { localhostCertificate } from '@gatehouse/http1/testing/localhost-certificate'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { buildApi, buildSnapshot } from '../testing/build-snapshot.ts'
import { startGateway } from '../testing/test-gateway.ts'

it('serves over TLS and says so to the upstream', async () => {
  const upstream = await startRecordingUpstream()
  const { cert } = localhostCertificate
  const gateway = await startGateway(
    buildSnapshot({ apis: [buildApi({ base_url: upstream.url })] }),
    { tls: localhostCertificate },
  )
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const url = `https://localhost:${gateway.port}/sales/orders`
    request(url, { ca: cert, agent: false }, resolve).on('error', reject).end()
  })
  expect(Buffer.concat(await answer.toArray()).toString()).toBe('ok')
  expect(upstream.requests[0]?.headers).toContainEqual(['x-forwarded-proto', 'https'])
})
