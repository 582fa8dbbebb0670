import {
  batchEvents,
  batchResults,
  batchTypes,
  cancelBatch,
  checkBatch,
  listBatchLines,
  listBatches,
  pauseBatch,
  resumeBatch,
  retryBatch,
  showBatch,
  startBatch,
} from '@gatehouse/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { allowUpload } from '../../../kernel/http/body-bounds.ts'
import { mount } from '../../../kernel/mount.ts'
import { toPage } from '../../../kernel/to-page.ts'
import { uploadBody } from '../../../kernel/http/upload-body.ts'
import { keyOf } from '../runs/workflow-run-caller.ts'
import type { BatchEvents } from './batch-events.ts'
import type { BatchService } from './batch-service.ts'
import type { BatchStarter } from './batch-starter.ts'

export function batchRoutes(
  app: FastifyInstance,
  starter: BatchStarter,
  batches: BatchService,
  events: BatchEvents,
): void {
  void app.register(async (uploads) => uploadRoutes(uploads, starter, batches))
  mount(app, listBatches, async ({ params, query }) =>
    toPage(await batches.list(params.slug, query), query, (batch) => batch),
  )
  mount(app, showBatch, async ({ params }, { caller }) => ({
    batch: await batches.show(params, caller),
  }))
  mount(app, batchEvents, async ({ params }, { caller, signal, setHeader }) => {
    const body = await events.follow(params, caller, signal)
    // A proxy that buffers the stream would delay the events.
    setHeader('x-accel-buffering', 'no')
    return { type: 'text/event-stream; charset=utf-8', body }
  })
  mount(app, listBatchLines, async ({ params, query }, { caller }) =>
    toPage(await batches.lines(params, query, caller), query, (line) => line),
  )
  mount(app, batchResults, async ({ params, query }, { caller }) => ({
    type: query.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
    name: `batch-${params.id}.${query.format}`,
    body: await batches.results(params, query.format, caller),
  }))
  mount(app, pauseBatch, async ({ params }, actor) => ({
    batch: await batches.setPaused(params, true, actor),
  }))
  mount(app, resumeBatch, async ({ params }, actor) => ({
    batch: await batches.setPaused(params, false, actor),
  }))
  mount(app, cancelBatch, async ({ params }, actor) => ({
    batch: await batches.cancel(params, actor),
  }))
  mount(app, retryBatch, ({ params }, actor) => batches.retry(params, actor))
}

/** Uploads are read as streams, and take their time. The parsers of these two routes are their own. */
function uploadRoutes(
  uploads: FastifyInstance,
  starter: BatchStarter,
  batches: BatchService,
): void {
  uploads.removeAllContentTypeParsers()
  uploads.addContentTypeParser(
    [...batchTypes],
    async ({ raw }: FastifyRequest, payload: Readable) => {
      allowUpload(raw)
      return uploadBody(payload)
    },
  )
  // It may have been refused before anything read it.
  uploads.addHook('onResponse', async ({ body }) => {
    if (body instanceof Readable) body.destroy()
  })
  mount(uploads, startBatch, async ({ params, query, body }, context) => {
    const { id, isReplay } = await starter.start(
      {
        slug: params.slug,
        body: streamOf(body),
        contentType: context.header('content-type'),
        fileName: query.file_name,
        isTest: query.test,
        key: keyOf(context),
      },
      context,
    )
    context.setHeader('location', `/api/workflows/${params.slug}/batches/${id}`)
    if (isReplay) {
      context.setHeader('idempotent-replay', 'true')
      context.setStatus(200)
    }
    return { batch: await batches.view(id) }
  })
  mount(uploads, checkBatch, ({ params, body }, context) =>
    starter.check(
      {
        slug: params.slug,
        body: streamOf(body),
        contentType: context.header('content-type'),
      },
      context.caller,
    ),
  )
}

/** Without a body there is nothing to read. */
const streamOf = (body: unknown): AsyncIterable<Uint8Array> =>
  (body ?? []) as AsyncIterable<Uint8Array>
