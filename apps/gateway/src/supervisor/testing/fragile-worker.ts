import type { FromWorker, ToWorker } from '../../messages/worker-messages.ts'

/** A worker that carries nothing, and ends as soon as it gets a second configuration or a later one. */
let isReady = false

function tell(message: FromWorker): void {
  process.send?.(message)
}

process.on('message', (message: ToWorker) => {
  if (message.type === 'lame-duck') process.exit(0)
  if (message.type !== 'snapshot') return
  const { revision } = message.snapshot as { revision: number }
  if (revision > 1) process.exit(1)
  tell({ type: 'snapshot-accepted', revision })
  if (!isReady) tell({ type: 'ready', revision, port: 0 })
  isReady = true
})
