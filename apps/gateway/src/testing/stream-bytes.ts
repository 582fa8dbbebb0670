import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createGateway } from '../gateway.ts'
import { bareWorker } from './bare-worker.ts'
import { buildApi, buildEndpoint, buildSnapshot } from './build-snapshot.ts'
import { countBytes, echoSizes, startHttpUpstream, upload } from './byte-streams.ts'

interface StreamReport {
  uploadedBytes: number
  downloadedBytes: number
  /** What the process, client and upstream included, grew by at most. */
  grownBytes: number
}

/** Sends this many bytes up and then down through a gateway, and watches the memory meanwhile. */
export async function streamBytes(total: number): Promise<StreamReport> {
  const upstream = await startHttpUpstream(echoSizes)
  const gateway = createGateway({
    ...bareWorker,
  })
  gateway.swap(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url })],
      endpoints: [buildEndpoint(), buildEndpoint({ id: 2, method: 'POST' })],
    }),
  )
  const port = await gateway.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${port}/sales/orders`
  const before = process.memoryUsage.rss()
  let highest = before
  const watching = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss())
  }, 20)
  const answer = await upload(url, total)
  const uploadedBytes = Number(Buffer.concat(await answer.toArray()).toString())
  const down = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}?n=${total}`, resolve).on('error', reject)
  })
  const downloadedBytes = await countBytes(down)
  clearInterval(watching)
  await gateway.close()
  await upstream.close()
  return { uploadedBytes, downloadedBytes, grownBytes: highest - before }
}
